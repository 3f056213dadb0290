#include "roofline/peaks.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cudabench::roofline {
namespace {

/// What one multiprocessor does in a cycle: operations, a multiply-add counted as two in fp32, fp64 and tensor.
struct Throughput {
    int capability; ///< 10 x major + minor
    double fp32;
    double fp64;
    double tensor_tf32;
    double tensor_fp16;
    double sfu;
    double int32;
};

// fp32, fp64, sfu, int32: table "Throughput of Native Arithmetic Instructions" of the CUDA C++ Programming Guide.
// Tensor: dense rates of NVIDIA's architecture papers over multiprocessors and boost clock, those of the professional
// boards (GeForce halves fp32 accumulation).
constexpr std::array<Throughput, 11> throughputs{{
    {75, 128, 4, 0, 1024, 16, 64},
    {80, 128, 64, 1024, 2048, 16, 64},
    {86, 256, 4, 512, 1024, 16, 64},
    {87, 256, 4, 1024, 2048, 16, 64},
    {89, 256, 4, 512, 1024, 16, 64},
    {90, 256, 128, 2048, 4096, 16, 64},
    {100, 256, 128, 4096, 8192, 16, 64},
    {103, 256, 4, 4096, 8192, 32, 64},
    {110, 256, 4, 4096, 8192, 16, 64},
    {120, 256, 4, 512, 1024, 16, 128},
    {121, 256, 4, 512, 1024, 16, 128},
}};

Failure unknown(std::string_view device, std::string_view what) {
    return Failure{Stage::fault, fmt::format("no roofline for {}: {}", device, what)};
}

} // namespace

Expected<Peaks, Failure> nominal_peaks(const device::Description& device) {
    const auto attribute = [&](CUdevice_attribute index) { return device.attributes.at(index); };
    const int capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                           attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    const auto* const row = std::ranges::find(throughputs, capability, &Throughput::capability);
    if (row == throughputs.end()) {
        return unknown(device.name, fmt::format("the rates of compute capability {}.{} are not in "
                                                "harness/roofline/peaks.cpp",
                                                capability / 10, capability % 10));
    }
    const double multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    const double cycles = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * 1e3; // from kHz
    const double memory_cycles = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1e3;
    const double bus_bytes = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0;
    if (multiprocessors <= 0 || cycles <= 0) {
        return unknown(device.name, "it reports no multiprocessors or no clock");
    }
    if (memory_cycles <= 0 || bus_bytes <= 0) {
        return unknown(device.name, "it reports no memory clock or no bus width");
    }
    const auto rate = [&](double a_cycle) { return multiprocessors * cycles * a_cycle; };
    return Peaks{.fp32 = rate(row->fp32),
                 .fp64 = rate(row->fp64),
                 .tensor_tf32 = rate(row->tensor_tf32),
                 .tensor_fp16 = rate(row->tensor_fp16),
                 .sfu = rate(row->sfu),
                 .int32 = rate(row->int32),
                 .bandwidth = 2 * memory_cycles * bus_bytes,
                 .l2_bytes = static_cast<double>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE))};
}

} // namespace cudabench::roofline
