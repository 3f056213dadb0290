#include "recorder/ahead.h"

#include "recorder/no_answers.h"

#include <algorithm>
#include <system_error>

namespace cudabench::recorder {
namespace {

using namespace std::chrono_literals;

/// Several are recorded at once, and kept.
void limit_ahead(Limits& limits) {
    limits.host_time = std::min<std::chrono::milliseconds>(limits.host_time, 1s);
    limits.host_memory_bytes = std::min(limits.host_memory_bytes, std::uint64_t{256} << 20);
    limits.recipe.bytes = std::min(limits.recipe.bytes, std::uint64_t{16} << 20);
}

/// The earliest time there is, if there is no such file.
std::filesystem::file_time_type written(const std::filesystem::path& module) {
    std::error_code error;
    return std::filesystem::last_write_time(module, error);
}

} // namespace

RecordingAhead record_ahead(Setup setup, const std::filesystem::path& module, const recipe::Call& call) {
    limit_ahead(setup.limits);
    // No temporary: libstdc++ would have moved it into the thread that it could not make.
    const auto recorded = [setup = std::move(setup), module, call] {
        NoAnswers answers({Stage::contract, "asks for what is known only when it is performed"});
        Recording recording = record(setup, module, call, answers);
        recording.seconds = 0;
        return recording.failure ? std::nullopt : std::optional(std::move(recording));
    };
    return std::async(std::launch::async | std::launch::deferred, recorded);
}

void RecordingsAhead::begin(const Setup& setup, const std::filesystem::path& module, const recipe::Call& call) {
    if (begun(module, call) == nullptr)
        begun_.push_back({module, written(module), call, record_ahead(setup, module, call).share()});
}

void RecordingsAhead::wait() const {
    for (const Begun& one : begun_)
        one.recording.wait();
}

std::optional<Recording> RecordingsAhead::find(const std::filesystem::path& module, const recipe::Call& call) const {
    const Begun* const one = begun(module, call);
    return one != nullptr ? one->recording.get() : std::nullopt;
}

const RecordingsAhead::Begun* RecordingsAhead::begun(const std::filesystem::path& module,
                                                     const recipe::Call& call) const {
    const auto found = std::ranges::find_if(begun_, [&, now = written(module)](const Begun& one) {
        return one.module == module && one.written == now && one.call == call;
    });
    return found != begun_.end() ? &*found : nullptr;
}

} // namespace cudabench::recorder
