#include "measure/cold_cache.h"

#include "embedded/measure_kernels.h"

#include <algorithm>
#include <array>

namespace cudabench::measure {
namespace {

constexpr std::uint64_t least_bytes = 1 << 20; ///< where the cache's size is unknown
constexpr unsigned threads = 256;
constexpr unsigned blocks_per_multiprocessor = 8;

} // namespace

ColdCache::ColdCache(const gpu::Device& device)
    : device_(device), library_(driver::load_library(device.driver(), embedded::measure_kernels())),
      kernel_(driver::find_kernel(device.driver(), library_, "cudabench_sweep")),
      bytes_(
          std::max(least_bytes, 2 * static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)))),
      memory_(driver::allocate(device.driver(), bytes_)) {
    device_.driver().cuMemsetD8Async(memory_.get(), 0, bytes_, device_.stream());
    // No part of the cache for persisting lines; GPUs without the feature refuse, which is as good.
    device_.driver().cuCtxSetLimit.result(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
}

void ColdCache::sweep() const {
    device_.driver().cuCtxResetPersistingL2Cache.result();
    CUdeviceptr memory = memory_.get();
    std::uint64_t vectors = bytes_ / 16;
    const std::array<void*, 3> arguments{&memory, &vectors, &memory};
    const auto multiprocessors = static_cast<unsigned>(device_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    driver::launch(device_.driver(), kernel_, blocks_per_multiprocessor * multiprocessors, threads, device_.stream(),
                   arguments);
}

} // namespace cudabench::measure
