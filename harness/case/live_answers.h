#pragma once

#include "executor/gpu/executor.h"
#include "recipe/validate.h"
#include "recorder/record.h"

#include <cstddef>

namespace cudabench {

/// Performs a recipe while it is being recorded, as far as questions of the host code need it, and the rest afterwards.
/// Every operation is validated before it is performed.
class LiveAnswers : public recorder::Answers {
public:
    /// All must outlive it. `hello` is what the recorder was told.
    LiveAnswers(gpu::Performance& performance, const gpu::Program& program, const recipe::Hello& hello);

    Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe& so_far,
                                                           const recipe::CopyToHost& question) override;
    Expected<recipe::Address, Failure> symbol_address(const std::string& name) override;
    Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe& so_far,
                                                    const recipe::CreateTexture& question) override;
    Expected<std::vector<std::byte>, Failure> tensor_map(const recipe::TensorMap& question) override;
    Expected<std::uint64_t, Failure> cluster_occupancy(const recipe::ClusterOccupancy& question) override;

    /// Validates and starts what no question has asked for yet.
    Expected<Done, Failure> start_rest(const recipe::Recipe& recipe);

private:
    Expected<Done, Failure> perform_up_to(const recipe::Recipe& recipe, std::size_t end);

    gpu::Performance& performance_;
    const gpu::Program& program_;
    recipe::Validator validator_;
    std::size_t performed_ = 0;
};

} // namespace cudabench
