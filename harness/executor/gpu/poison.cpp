#include "executor/gpu/poison.h"

#include "embedded/poison_kernels.h"

#include <algorithm>
#include <array>

namespace cudabench::gpu {
namespace {

constexpr unsigned threads = 256;

unsigned blocks(std::uint64_t items) {
    return static_cast<unsigned>(std::clamp<std::uint64_t>((items + threads - 1) / threads, 1, 4096));
}

} // namespace

Poison::Poison(const Device& device)
    : driver_(device.driver()), library_(driver::load_library(driver_, embedded::poison_kernels())),
      fill_(driver::find_kernel(driver_, library_, "cudabench_poison_fill")),
      count_(driver::find_kernel(driver_, library_, "cudabench_poison_count")),
      counter_(driver::allocate(driver_, sizeof(std::uint64_t))) {}

void Poison::fill(CUdeviceptr address, std::uint64_t bytes, PoisonPattern pattern, std::uint64_t seed,
                  CUstream stream) const {
    const std::array<void*, 4> arguments{&address, &bytes, &pattern, &seed};
    driver::launch(driver_, fill_, blocks(bytes / 4), threads, stream, arguments);
}

std::uint64_t Poison::count_changed(CUdeviceptr address, std::uint64_t bytes, std::uint64_t skip_from,
                                    std::uint64_t skip_bytes, PoisonPattern pattern, std::uint64_t seed,
                                    CUstream stream) const {
    CUdeviceptr counter = counter_.get();
    const std::array<void*, 7> arguments{&address, &bytes, &skip_from, &skip_bytes, &pattern, &seed, &counter};
    std::uint64_t changed = 0;
    driver_.cuMemsetD8Async(counter, 0, sizeof(changed), stream);
    driver::launch(driver_, count_, blocks(bytes - skip_bytes), threads, stream, arguments);
    driver_.cuMemcpyDtoHAsync(&changed, counter, sizeof(changed), stream);
    driver_.cuStreamSynchronize(stream);
    return changed;
}

} // namespace cudabench::gpu
