#pragma once

#include "case/performing_answers.h"
#include "executor/gpu/executor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudabench {

/// Answers by the GPU.
class LiveAnswers : public PerformingAnswers<gpu::Performance, gpu::Program> {
public:
    using PerformingAnswers::PerformingAnswers;

    Expected<std::vector<std::byte>, Failure> tensor_map(const recipe::TensorMap& question) override;
    Expected<std::uint64_t, Failure> cluster_occupancy(const recipe::ClusterOccupancy& question) override;
};

} // namespace cudabench
