#pragma once

#include "device/description.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

namespace cudabench::roofline {

/// Nominal rates of a GPU at its maximum clocks, operations and bytes a second. A multiply-add is two operations.
struct Peaks {
    double fp32 = 0;
    double fp64 = 0;
    double tensor_tf32 = 0; ///< dense; 0 where the GPU has none
    double tensor_fp16 = 0; ///< dense, fp32 accumulation at the data-centre rate
    double sfu = 0;         ///< reciprocal, square root, exponential, logarithm, sine
    double int32 = 0;
    double bandwidth = 0; ///< DRAM
    double l2_bytes = 0;

    /// What tensor work is measured against: TF32, since tasks are single precision; half precision on GPUs without it.
    [[nodiscard]] double tensor() const { return tensor_tf32 > 0 ? tensor_tf32 : tensor_fp16; }
};

/// Rate of a pipe = multiprocessors x operations a cycle (by compute capability) x maximum clock; bandwidth = 2 x
/// maximum memory clock x bus width / 8. Fails, naming what is missing, for a compute capability that the table does
/// not have or a device that does not report its clocks.
[[nodiscard]] Expected<Peaks, Failure> nominal_peaks(const device::Description& device);

} // namespace cudabench::roofline
