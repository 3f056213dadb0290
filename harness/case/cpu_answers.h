#pragma once

#include "case/performing_answers.h"
#include "executor/cpu/performance.h"

namespace cudabench {

/// Answers by the CPU executor. It has no tensor maps and clusters.
class CpuAnswers : public PerformingAnswers<cpu::Performance, cpu::Program> {
public:
    using PerformingAnswers::PerformingAnswers;

    Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe& so_far,
                                                    const recipe::CreateTexture& question) override {
        return answer_in_turn(so_far, question);
    }
};

} // namespace cudabench
