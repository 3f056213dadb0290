#pragma once

#include "case/case.h"
#include "case/grade_options.h"
#include "case/result.h"
#include "case/suite_paths.h"
#include "case/trial.h"
#include "case/workbench.h"
#include "executor/gpu/executor.h"
#include "inputs/generate.h"
#include "verify/verifier.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudabench {

/// The stages of a case that need a GPU. The candidate's work comes first, all of it: its outputs are sealed. Then its
/// device code is unloaded, and only now reference and verifier are loaded.
class GpuGrading {
public:
    /// All must outlive it; `result` is filled while grading goes on.
    GpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
               gpu::Executor& executor, Result& result);

    /// The first failure, or none. Throws driver::DriverError for a fault of the machine.
    [[nodiscard]] std::optional<Failure> run();

private:
    /// A trial that the candidate has done, and what it wrote.
    struct Sealed {
        Trial trial;
        std::vector<gpu::Seal> outputs;
        std::string note; ///< host_note()
    };
    /// Of host code that a trial was performed with. Without a failure, what device code printed.
    struct Performed {
        recorder::Recording recording;
        std::string printed;
    };

    [[nodiscard]] Expected<gpu::Program, Failure> load(const std::filesystem::path& module) const;
    [[nodiscard]] std::optional<Failure> do_the_candidates_work();
    /// Whose fault it is that the candidate's device code cannot be loaded.
    [[nodiscard]] Failure not_loaded(const Failure& failure) const;

    // The candidate's work.
    [[nodiscard]] std::optional<Failure> do_trials(gpu::Program& candidate);
    [[nodiscard]] std::optional<Failure> do_trial(gpu::Program& candidate, const Trial& trial,
                                                  std::optional<recorder::Recording> ahead);
    [[nodiscard]] std::optional<Failure> time(gpu::Program& candidate);
    void prepare(const gpu::Program& candidate, const Trial& trial);
    /// `seconds` grows by what the device takes.
    [[nodiscard]] Performed record_and_perform(gpu::Program& program, const std::filesystem::path& module,
                                               const std::string& function, std::optional<recorder::Recording> ahead,
                                               double& seconds);
    /// What was begun ahead, if anything; it was waited for, and took no more time than that.
    [[nodiscard]] std::optional<recorder::Recording> finish(recorder::RecordingAhead& begun);

    // The trusted side.
    [[nodiscard]] std::optional<Failure> verify();
    /// For what was sealed, as far as the reference's host code asks nothing and it was not begun before.
    void record_reference(recorder::RecordingsAhead& recordings);
    [[nodiscard]] std::optional<Failure> verify_trial(gpu::Program& reference, const verify::Verifier& verifier,
                                                      const Generator& generator, Sealed& sealed,
                                                      const recorder::RecordingsAhead& recordings);
    [[nodiscard]] std::optional<Failure> perform_reference(gpu::Program& reference, const Trial& trial,
                                                           const std::string& function,
                                                           const recorder::RecordingsAhead& recordings);
    [[nodiscard]] std::optional<Failure> score();

    const Task& task_;
    const Case& graded_;
    const SuitePaths& paths_;
    const GradeOptions& options_;
    gpu::Executor& executor_;
    Result& result_;
    const Shape& scale_;
    Workbench bench_;
    Generator generator_;
    gpu::Seconds device_limit_;
    std::vector<Sealed> sealed_;
};

} // namespace cudabench
