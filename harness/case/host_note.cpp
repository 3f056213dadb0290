#include "case/host_note.h"

namespace cudabench {

std::string host_note(const recorder::Recording& recording) {
    constexpr std::size_t longest = 300; // a hostile process says it
    if (recording.notes.empty())
        return {};
    return "; of its host code: " + recording.notes.front().substr(0, longest);
}

} // namespace cudabench
