#include "measure/clock_probe.h"

#include "embedded/measure_kernels.h"

#include <array>
#include <cstdint>

namespace cudabench::measure {
namespace {
constexpr std::uint64_t duration_ns = 50'000;
}

ClockProbe::ClockProbe(const gpu::Device& device)
    : device_(device), library_(driver::load_library(device.driver(), embedded::measure_kernels())),
      kernel_(driver::find_kernel(device.driver(), library_, "cudabench_clock_probe")),
      counts_(driver::allocate(device.driver(), 2 * sizeof(std::uint64_t))) {}

double ClockProbe::hertz() const {
    std::uint64_t duration = duration_ns;
    CUdeviceptr address = counts_.get();
    const std::array<void*, 2> arguments{&duration, &address};
    driver::launch(device_.driver(), kernel_, 1, 1, device_.stream(), arguments);
    std::array<std::uint64_t, 2> counts{};
    device_.driver().cuMemcpyDtoHAsync(counts.data(), address, sizeof(counts), device_.stream());
    device_.driver().cuStreamSynchronize(device_.stream());
    return 1e9 * static_cast<double>(counts[0]) / static_cast<double>(counts[1]);
}

} // namespace cudabench::measure
