#include "executor/gpu/memory_share.h"

#include "executor/gpu/lock_layout.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace cudabench::gpu {
namespace {

constexpr auto patience = std::chrono::milliseconds(5); // between two looks at what has become free

} // namespace

MemoryShare::MemoryShare(const std::string& uuid, std::uint64_t bytes, std::uint64_t capacity) : file_(uuid) {
    const auto start = std::chrono::steady_clock::now();
    const auto all = static_cast<std::int64_t>(std::max<std::uint64_t>(1, capacity / memory_unit));
    const auto needed = static_cast<std::int64_t>(std::min(bytes, capacity) / memory_unit +
                                                  (std::min(bytes, capacity) % memory_unit != 0));
    const std::int64_t wanted = std::min(needed, all);
    // One process at a time gathers, so that two that each have half of what they need do not wait for each other.
    file_.lock(memory_turnstile, LockFile::Kind::exclusive);
    while (take_free(wanted, all) != 0)
        std::this_thread::sleep_for(patience);
    file_.unlock(memory_turnstile);
    waited_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::int64_t MemoryShare::take_free(std::int64_t wanted, std::int64_t capacity) {
    const std::int64_t end = memory_start + capacity;
    std::int64_t at = memory_start;
    units_ = 0;
    while (at < end && units_ < wanted) { // own bytes are not others': they count anew
        const auto taken = file_.locked_by_others({.start = at, .length = end - at});
        const std::int64_t gap = std::min((taken ? taken->start : end) - at, wanted - units_);
        if (gap > 0 && file_.try_lock({.start = at, .length = gap}, LockFile::Kind::exclusive))
            units_ += gap;
        at = units_ == wanted ? at + gap : taken ? taken->start + taken->length : end;
    }
    if (units_ == wanted && at < end)
        file_.unlock({.start = at, .length = end - at}); // what an earlier call took there
    return wanted - units_;
}

std::uint64_t MemoryShare::bytes() const noexcept {
    return static_cast<std::uint64_t>(units_) * memory_unit;
}

} // namespace cudabench::gpu
