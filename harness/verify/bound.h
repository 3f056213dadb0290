#pragma once

#include "case/task.h"

#include <cstdint>

namespace cudabench::verify {

/// Growth of the rounding error of a sum of `terms` terms: sqrt(min(K, 4096)) + log2 K. The square root is the random
/// walk of a sequential sum; sums of more terms are taken in blocks, where only the logarithm grows. At least 1.
[[nodiscard]] double growth(double terms);

/// What is allowed of the elements of one output: a Check with its numbers filled in. Plain data, passed to the kernel
/// as it is.
struct Bound {
    Dtype dtype = Dtype::float32;
    bool exact = false;            ///< zero tolerance: equal values, NaN for NaN
    double magnitude_factor = 0;   ///< of A: factor x u x growth
    double value_factor = 0;       ///< of |y|: ulps x u
    double magnitude_unit = 0;     ///< of A: u x growth, what the root mean square is measured in
    double smallest = 0;           ///< smallest normal number, since subnormal results may be flushed
    double rms_limit = 0;          ///< 0: the root mean square is not bounded
    std::uint32_t poison_word = 0; ///< what the output was filled with (verify/poison_word.h)
};

/// The bound of an output with `terms` = K of its shape. `integer_seed` says that the inputs were the small whole
/// numbers of the second seed. Whole-number dtypes are always exact.
[[nodiscard]] Bound make_bound(const Check& check, Dtype dtype, double terms, bool integer_seed,
                               std::uint32_t poison_word);

} // namespace cudabench::verify
