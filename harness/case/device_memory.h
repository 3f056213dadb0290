#pragma once

#include "case/call.h"
#include "case/repetition_sample.h"
#include "executor/gpu/workspace.h"

#include <cstdint>
#include <numeric>

namespace cudabench {

/// Device memory that grading a case takes at most, beside the executor's own, bytes: buffers of its scale, which are
/// larger than those of the edges; what its outputs were in each trial of the scale and each sampled repetition, and
/// should have been; what the candidate may allocate.
[[nodiscard]] inline std::uint64_t device_memory(const Task& task, const Shape& scale) {
    const auto sum = [](const std::vector<std::uint64_t>& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    };
    constexpr std::uint64_t trials = 2;
    constexpr std::uint64_t expected = 1;
    const std::uint64_t outputs = sum(output_bytes(task, scale));
    const std::uint64_t copies = trials + expected + RepetitionSample::size_for(outputs);
    return sum(input_bytes(task, scale)) + (1 + copies) * outputs + gpu::Workspace::limit_bytes;
}

} // namespace cudabench
