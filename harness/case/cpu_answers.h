#pragma once

#include "case/performing_answers.h"
#include "executor/cpu/performance.h"

namespace cudabench {

/// Answers by the CPU executor. It has no tensor maps and clusters.
using CpuAnswers = PerformingAnswers<cpu::Performance, cpu::Program>;

} // namespace cudabench
