#include "verify/judge.h"
#include "verify/tally.h"

namespace {

using cudabench::Dtype;
using cudabench::verify::Bound;
using cudabench::verify::Judgement;
using cudabench::verify::Tally;

constexpr unsigned whole_warp = 0xFFFFFFFFU;

__device__ std::uint64_t first_of_thread() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ std::uint64_t all_threads() {
    return std::uint64_t{gridDim.x} * blockDim.x;
}

template <typename T, typename Join> __device__ T across_warp(T value, Join join) {
    for (int distance = 16; distance > 0; distance /= 2) {
        value = join(value, __shfl_down_sync(whole_warp, value, distance));
    }
    return value;
}

__device__ void add(std::uint64_t& total, std::uint64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&total), static_cast<unsigned long long>(value));
}

__device__ void lower(std::uint64_t& least, std::uint64_t value) {
    atomicMin(reinterpret_cast<unsigned long long*>(&least), static_cast<unsigned long long>(value));
}

/// Doubles that are not negative have the order of their bits.
__device__ void raise(double& most, double value) {
    atomicMax(reinterpret_cast<unsigned long long*>(&most),
              static_cast<unsigned long long>(__double_as_longlong(value)));
}

__device__ void merge(Tally& tally, Tally part) {
    const auto sum = [](auto x, auto y) { return x + y; };
    const auto least = [](auto x, auto y) { return x < y ? x : y; };
    const auto most = [](auto x, auto y) { return x > y ? x : y; };
    part.mismatches = across_warp(part.mismatches, sum);
    part.unwritten = across_warp(part.unwritten, sum);
    part.first = across_warp(part.first, least);
    part.worst_ratio = across_warp(part.worst_ratio, most);
    part.sum_of_squares = across_warp(part.sum_of_squares, sum);
    if (threadIdx.x % 32 != 0) {
        return;
    }
    if (part.mismatches != 0) {
        add(tally.mismatches, part.mismatches);
        add(tally.unwritten, part.unwritten);
        lower(tally.first, part.first);
    }
    if (part.worst_ratio > 0) {
        raise(tally.worst_ratio, part.worst_ratio);
        atomicAdd(&tally.sum_of_squares, part.sum_of_squares);
    }
}

template <typename T>
__device__ void compare(const Bound& bound, const void* got, const void* expected, const void* magnitude,
                        std::uint64_t elements, std::uint64_t from, Tally& tally) {
    const auto* const y = static_cast<const T*>(got);
    const auto* const truth = static_cast<const T*>(expected);
    const auto* const a = static_cast<const T*>(magnitude == nullptr ? expected : magnitude);
    Tally part;
    for (std::uint64_t i = from + first_of_thread(); i < elements; i += all_threads()) {
        const Judgement judgement = cudabench::verify::judge(bound, i, y[i], truth[i], a[i]);
        part.worst_ratio = judgement.ratio > part.worst_ratio ? judgement.ratio : part.worst_ratio;
        part.sum_of_squares += judgement.units * judgement.units;
        if (!judgement.matches) {
            part.mismatches += 1;
            part.unwritten += judgement.unwritten ? 1 : 0;
            part.first = i < part.first ? i : part.first;
        }
    }
    merge(tally, part);
}

} // namespace

/// Blocks of whole warps. `magnitude` may be null.
extern "C" __global__ void cudabench_compare(const __grid_constant__ Bound bound, const void* got, const void* expected,
                                             const void* magnitude, std::uint64_t elements, std::uint64_t from,
                                             Tally* tally) {
    switch (bound.dtype) {
    case Dtype::float32: return compare<float>(bound, got, expected, magnitude, elements, from, *tally);
    case Dtype::float64: return compare<double>(bound, got, expected, magnitude, elements, from, *tally);
    case Dtype::int32: return compare<std::int32_t>(bound, got, expected, magnitude, elements, from, *tally);
    case Dtype::uint32: return compare<std::uint32_t>(bound, got, expected, magnitude, elements, from, *tally);
    case Dtype::int64: return compare<std::int64_t>(bound, got, expected, magnitude, elements, from, *tally);
    case Dtype::uint8: return compare<std::uint8_t>(bound, got, expected, magnitude, elements, from, *tally);
    }
}
