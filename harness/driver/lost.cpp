#include "driver/lost.h"

#include <atomic>

namespace cudabench::driver {
namespace {
std::atomic<bool> process_lost = false;
}

bool lost() noexcept {
    return process_lost;
}

void set_lost() noexcept {
    process_lost = true;
}

} // namespace cudabench::driver
