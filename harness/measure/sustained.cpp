#include "measure/sustained.h"

#include "driver/library.h"
#include "driver/memory.h"
#include "driver/stream.h"
#include "embedded/sustained_kernels.h"
#include "measure/order_statistics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cudabench::measure {
namespace {

constexpr unsigned warm_ups = 3;
constexpr unsigned repetitions = 9;
constexpr std::uint64_t copied_bytes = std::uint64_t{512} << 20;
constexpr unsigned chains = 8;                  ///< as in the kernels
constexpr double tensor_flops = 2 * 16 * 8 * 8; ///< of a warp's product

/// The kernels, with the time of one launch each.
class Kernels {
public:
    explicit Kernels(const gpu::Device& device)
        : device_(device), library_(driver::load_library(device.driver(), embedded::sustained_kernels())),
          start_(driver::make_timing_event(device.driver())), end_(driver::make_timing_event(device.driver())) {}

    [[nodiscard]] double seconds(const char* name, unsigned blocks, unsigned threads,
                                 std::span<void* const> arguments) const {
        const driver::Driver& driver = device_.driver();
        const CUkernel kernel = driver::find_kernel(driver, library_, name);
        std::vector<double> samples;
        for (unsigned i = 0; i < warm_ups + repetitions; ++i) {
            driver.cuEventRecord(start_.get(), device_.stream());
            driver::launch(driver, kernel, blocks, threads, device_.stream(), arguments);
            driver.cuEventRecord(end_.get(), device_.stream());
            device_.synchronize();
            if (i >= warm_ups)
                samples.push_back(driver::elapsed_seconds(driver, start_, end_));
        }
        return median_interval(samples).median;
    }

private:
    const gpu::Device& device_;
    driver::Library library_;
    driver::Event start_;
    driver::Event end_;
};

} // namespace

Sustained measure_sustained(const gpu::Device& device) {
    const Kernels kernels(device);
    const auto multiprocessors = static_cast<unsigned>(device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    const driver::DeviceMemory from = driver::allocate(device.driver(), copied_bytes);
    const driver::DeviceMemory to = driver::allocate(device.driver(), copied_bytes);
    device.driver().cuMemsetD8Async(from.get(), 0, copied_bytes, device.stream());
    CUdeviceptr source = from.get();
    CUdeviceptr target = to.get();
    Sustained sustained;

    std::uint64_t vectors = copied_bytes / 16;
    sustained.bandwidth = 2.0 * static_cast<double>(copied_bytes) /
                          kernels.seconds("cudabench_sustained_copy", 16 * multiprocessors, 512,
                                          std::array<void*, 3>{&source, &target, &vectors});

    // Two multiply-adds a thread and cycle hide the latency: 8 chains in 1024 threads are enough on every GPU.
    constexpr unsigned threads = 256;
    const unsigned blocks = 8 * multiprocessors;
    const auto flops = [&](unsigned iterations) { return 2.0 * chains * iterations * threads * blocks; };
    unsigned iterations = 16384;
    float single = 0.999F;
    sustained.fp32 = flops(iterations) / kernels.seconds("cudabench_sustained_fp32", blocks, threads,
                                                         std::array<void*, 3>{&single, &iterations, &target});
    iterations = 4096;
    double twice_as_precise = 0.999;
    sustained.fp64 = flops(iterations) / kernels.seconds("cudabench_sustained_fp64", blocks, threads,
                                                         std::array<void*, 3>{&twice_as_precise, &iterations, &target});

    if (device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 8) {
        iterations = 8192;
        unsigned bits = 0;
        const unsigned warps = threads / 32 * 4 * multiprocessors;
        sustained.tensor_tf32 = tensor_flops * chains * iterations * warps /
                                kernels.seconds("cudabench_sustained_tf32", 4 * multiprocessors, threads,
                                                std::array<void*, 3>{&bits, &iterations, &target});
    }
    return sustained;
}

} // namespace cudabench::measure
