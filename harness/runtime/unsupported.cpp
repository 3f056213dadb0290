#include "runtime/unsupported.h"

#include "runtime/recording.h"

namespace cudabench::runtime {

void unsupported(const char* name) {
    const std::lock_guard lock(recording_lock());
    recording().link.unsupported(name);
}

} // namespace cudabench::runtime
