#pragma once

#include "case/case.h"
#include "case/cpu_workbench.h"
#include "case/grade_options.h"
#include "case/result.h"
#include "case/suite_paths.h"
#include "case/trial.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudabench {

/// Which executor CUDABENCH_EXECUTOR asks for. `automatic`: the GPU if there is one.
enum class ExecutorChoice : std::uint8_t { automatic, gpu, cpu };

/// Failure of stage fault for a value that is none of auto, gpu, cpu.
[[nodiscard]] Expected<ExecutorChoice, Failure> executor_choice();

/// Whether a scale is small enough for the CPU: tiny, and what CUDABENCH_CPU_SCALES names ("small,medium", or "all").
[[nodiscard]] bool graded_on_cpu(const Shape& scale);

/// What is looked for beyond accesses out of bounds, by CUDABENCH_CPU_CHECKS: "all", "none", or some of "uninitialised"
/// and "races" with commas between them. Without it everything at scale tiny and nothing at others, which it would slow
/// down. None: accesses are not watched. Failure of stage fault for another value.
[[nodiscard]] Expected<std::optional<cpu::Findings>, Failure> checks_on_cpu(const Shape& scale);

/// The stages of a case up to `values`, its device code interpreted on the CPU. As on a GPU the candidate's work comes
/// first; only when all of its outputs are put away is the reference loaded.
class CpuGrading {
public:
    /// All must outlive it; `result` is filled while grading goes on. `options.executor` is not used.
    CpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
               Result& result);

    /// The first failure, or none.
    [[nodiscard]] std::optional<Failure> run();

private:
    using Bytes = std::vector<std::byte>;
    /// A trial that the candidate has done, and what it wrote.
    struct Sealed {
        Trial trial;
        std::vector<Bytes> outputs;
        std::string note; ///< host_note()
    };

    [[nodiscard]] cpu::How how(const Trial& trial, const std::optional<cpu::Findings>& checks) const;
    [[nodiscard]] std::optional<Failure> verify_trial(cpu::Program& reference, const Sealed& sealed);
    /// Performs `function` of a module on the inputs of a trial, in fresh memory. Returns its outputs.
    [[nodiscard]] Expected<std::vector<Bytes>, Failure>
    perform(cpu::Program& program, const std::filesystem::path& module, const std::string& function, const Trial& trial,
            const std::optional<cpu::Findings>& checks, double& seconds);

    const Task& task_;
    const Case& graded_;
    const SuitePaths& paths_;
    const GradeOptions& options_;
    Result& result_;
    CpuWorkbench bench_;
    std::optional<gpu::Seconds> device_limit_; ///< else as docs/cpu-executor.md says
    recipe::Recipe recipe_;                    ///< of the last perform()
    cpu::Counts counts_;                       ///< likewise
    std::string note_;                         ///< likewise, host_note()
};

} // namespace cudabench
