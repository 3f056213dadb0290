#include "counters/self_test.h"

#include "driver/library.h"
#include "driver/memory.h"
#include "embedded/counter_kernels.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace cudabench::counters {
namespace {

constexpr std::uint64_t elements = 1 << 25;
constexpr unsigned chain = 4; ///< multiply-adds an element, as in the kernel
constexpr double byte_tolerance = 0.05;

} // namespace

std::optional<Failure> judge(const Counts& counts, const KnownWork& known) {
    const auto wrong = [](std::string_view what, double counted, double expected) {
        return Failure{Stage::not_run, fmt::format("the performance counters are wrong here: of a known kernel they "
                                                   "counted {:.6g} {}, {:.6g} are right",
                                                   counted, what, expected)};
    };
    if (const double counted = counts.of(Quantity::fp32); counted != known.fp32)
        return wrong("fp32 operations", counted, known.fp32);
    if (const double counted = counts.of(Quantity::dram_bytes_read);
        counted < (1 - byte_tolerance) * known.bytes_read || counted > (1 + byte_tolerance) * known.bytes_read)
        return wrong("bytes read", counted, known.bytes_read);
    if (const double counted = counts.of(Quantity::dram_bytes_write);
        counted < (1 - byte_tolerance) * known.bytes_written - known.l2_bytes ||
        counted > (1 + byte_tolerance) * known.bytes_written)
        return wrong("bytes written", counted, known.bytes_written);
    return std::nullopt;
}

std::optional<Failure> self_test(Profiler& profiler, const gpu::Device& device, const measure::ColdCache& cache,
                                 bool tensor_cores) {
    const driver::Driver& driver = device.driver();
    const driver::Library library = driver::load_library(driver, embedded::counter_kernels());
    const CUkernel kernel = driver::find_kernel(driver, library, "cudabench_known_work");
    const driver::DeviceMemory input = driver::allocate(driver, elements * sizeof(float));
    const driver::DeviceMemory output = driver::allocate(driver, elements * sizeof(float));
    driver.cuMemsetD8Async(input.get(), 0, elements * sizeof(float), device.stream());
    CUdeviceptr from = input.get();
    CUdeviceptr to = output.get();
    const std::array<void*, 2> arguments{&from, &to};
    const auto counts =
        profiler.count({.prepare = [&] { cache.sweep(); },
                        .perform = [&]() -> Expected<Done, Failure> {
                            driver::launch(driver, kernel, elements / 256, 256, device.stream(), arguments);
                            device.synchronize();
                            return Done{};
                        },
                        .tensor_cores = tensor_cores});
    if (!counts)
        return counts.error();
    return judge(*counts, {.fp32 = 2.0 * chain * elements,
                           .bytes_read = 4.0 * elements,
                           .bytes_written = 4.0 * elements,
                           .l2_bytes = static_cast<double>(device.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE))});
}

} // namespace cudabench::counters
