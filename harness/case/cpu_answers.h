#pragma once

#include "executor/cpu/performance.h"
#include "recipe/validate.h"
#include "recorder/record.h"

#include <cstddef>

namespace cudabench {

/// As LiveAnswers, for the CPU executor. It has no textures, tensor maps and clusters.
class CpuAnswers : public recorder::Answers {
public:
    /// All must outlive it. `hello` is what the recorder was told.
    CpuAnswers(cpu::Performance& performance, const cpu::Program& program, const recipe::Hello& hello);

    Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe& so_far,
                                                           const recipe::CopyToHost& question) override;
    Expected<recipe::Address, Failure> symbol_address(const std::string& name) override;

    /// Validates and performs what no question has asked for yet.
    Expected<Done, Failure> perform_rest(const recipe::Recipe& recipe);

private:
    Expected<Done, Failure> perform_up_to(const recipe::Recipe& recipe, std::size_t end);

    cpu::Performance& performance_;
    const cpu::Program& program_;
    recipe::Validator validator_;
    std::size_t performed_ = 0;
};

} // namespace cudabench
