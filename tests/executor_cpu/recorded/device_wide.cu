// What CUB does with a whole device: several kernels, blocks that wait for others, 16 bytes written at once.
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#define CALL(name)                                                                                                     \
    extern "C" __attribute__((visibility("default"))) void name(void* const* buffers, const long long* dims,           \
                                                                const double*)

namespace {

/// Calls `work(scratch, bytes)` as CUB wants it: first to learn how much scratch memory it needs.
template <typename Work> void with_scratch(Work work) {
    void* scratch = nullptr;
    std::size_t bytes = 0;
    work(scratch, bytes);
    cudaMalloc(&scratch, bytes);
    work(scratch, bytes);
    cudaFree(scratch);
}

} // namespace

/// keys, values -> sorted keys, values in their order
CALL(sort_pairs) {
    with_scratch([&](void* scratch, std::size_t& bytes) {
        cub::DeviceRadixSort::SortPairs(scratch, bytes, static_cast<const std::uint32_t*>(buffers[0]),
                                        static_cast<std::uint32_t*>(buffers[2]),
                                        static_cast<const std::uint32_t*>(buffers[1]),
                                        static_cast<std::uint32_t*>(buffers[3]), static_cast<int>(dims[0]));
    });
}

/// doubles -> sums of all up to each
CALL(scan) {
    with_scratch([&](void* scratch, std::size_t& bytes) {
        cub::DeviceScan::InclusiveSum(scratch, bytes, static_cast<const double*>(buffers[0]),
                                      static_cast<double*>(buffers[1]), static_cast<int>(dims[0]));
    });
}

/// floats -> their largest
CALL(largest) {
    with_scratch([&](void* scratch, std::size_t& bytes) {
        cub::DeviceReduce::Max(scratch, bytes, static_cast<const float*>(buffers[0]), static_cast<float*>(buffers[1]),
                               static_cast<int>(dims[0]));
    });
}
