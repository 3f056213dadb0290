#include "executor/gpu/deadline.h"

#include "driver/lost.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace cudabench::gpu {

Expected<Done, Failure> wait(const Device& device, const driver::Event& event, Seconds limit) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (;;) {
        const CUresult result = device.driver().cuEventQuery.result(event.get());
        if (result == CUDA_SUCCESS)
            return Done{};
        if (result != CUDA_ERROR_NOT_READY)
            device.driver().cuEventQuery.fail(result);
        const Seconds waited = Clock::now() - start;
        if (waited > limit) {
            driver::set_lost();
            return Failure{Stage::launch,
                           fmt::format("device time limit of {:.3g} s exceeded (endless kernel?)", limit.count())};
        }
        // Short work is polled, so that its end is seen at once; long work leaves the processor to others.
        if (waited < std::chrono::milliseconds(1))
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::min(waited / 20, Seconds(0.005)));
    }
}

} // namespace cudabench::gpu
