#pragma once

#include "inputs/host_device.h"

#include <cmath>
#include <cstdint>

/// Double-precision operations that give the same bits on CPU and GPU: each is rounded once, to nearest even.
/// On the GPU the intrinsics keep the compiler from fusing a multiplication with an addition; host code that includes
/// this header is compiled with -ffp-contract=off.
namespace cudabench::exact {

CUDABENCH_HOST_DEVICE inline double add(double x, double y) {
#ifdef __CUDA_ARCH__
    return __dadd_rn(x, y);
#else
    return x + y;
#endif
}

CUDABENCH_HOST_DEVICE inline double subtract(double x, double y) {
    return add(x, -y);
}

CUDABENCH_HOST_DEVICE inline double multiply(double x, double y) {
#ifdef __CUDA_ARCH__
    return __dmul_rn(x, y);
#else
    return x * y;
#endif
}

CUDABENCH_HOST_DEVICE inline double divide(double x, double y) {
#ifdef __CUDA_ARCH__
    return __ddiv_rn(x, y);
#else
    return x / y;
#endif
}

/// The upper half of a 128-bit product.
CUDABENCH_HOST_DEVICE inline std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t low = 0xFFFFFFFFU;
    const std::uint64_t middle = (x >> 32) * (y & low) + (((x & low) * (y & low)) >> 32);
    const std::uint64_t carry = (x & low) * (y >> 32) + (middle & low);
    return (x >> 32) * (y >> 32) + (middle >> 32) + (carry >> 32);
}

/// The nearest whole number (ties to even) between `low` and `high`; NaN gives `low`.
CUDABENCH_HOST_DEVICE inline double round_within(double value, double low, double high) {
    const double rounded = rint(value);
    if (!(rounded > low)) {
        return low;
    }
    return rounded < high ? rounded : high;
}

} // namespace cudabench::exact
