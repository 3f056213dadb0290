#include "case/grade.h"

#include "case/ceilings.h"
#include "case/compile_record.h"
#include "case/cpu_grading.h"
#include "case/device_memory.h"
#include "case/gpu_grading.h"
#include "case/rehearsal.h"
#include "case/stopwatch.h"
#include "case/text_file.h"
#include "inputs/seed.h"

namespace cudabench {
namespace {

/// What can be done of a case without a GPU; `needs` says why there is none.
std::optional<Failure> grade_without_gpu(const Suite& suite, const Case& graded, const SuitePaths& paths,
                                         const GradeOptions& options, const Failure& needs, Result& result) {
    if (graded_on_cpu(suite.task.scales.at(graded.scale)))
        return CpuGrading(suite, graded, paths, options, result).run();
    return rehearse(suite, graded, paths, options.limits, needs, result);
}

std::optional<Failure> grade_into(const Suite& suite, const Case& graded, const SuitePaths& paths,
                                  const GradeOptions& options, Result& result) {
    const auto record_path = paths.root / graded.compile_record;
    result.compile_record = read_text(record_path);
    if (const auto record = read_compile_record(record_path); !record)
        return record.error();
    const auto seed = options.seed ? Expected<std::uint64_t, Failure>(*options.seed) : run_seed();
    if (!seed)
        return seed.error();
    result.seed = *seed;

    if (options.stop_after == Stage::compile)
        return std::nullopt;

    const auto choice = executor_choice();
    if (!choice)
        return choice.error();
    if (*choice == ExecutorChoice::cpu)
        return grade_without_gpu(suite, graded, paths, options,
                                 {Stage::not_run, "this scale needs a GPU (or CUDABENCH_CPU_SCALES)"}, result);

    const std::uint64_t memory =
        gpu::Executor::context_bytes + device_memory(suite.task, suite.task.scales.at(graded.scale));
    const double waited_before = options.executor != nullptr ? options.executor->waited() : 0;
    std::unique_ptr<gpu::Executor> own;
    std::unique_ptr<gpu::MemoryShare> share; // of an executor that serves other cases too
    if (options.executor != nullptr)
        share = options.executor->share_of_memory(memory);
    else {
        const Stopwatch watch(result.seconds.context);
        auto created = gpu::Executor::create(memory);
        if (!created)
            return created.error().stage == Stage::not_run && *choice == ExecutorChoice::automatic
                       ? grade_without_gpu(suite, graded, paths, options, created.error(), result)
                       : created.error();
        own = std::move(*created);
    }
    gpu::Executor* const executor = own ? own.get() : options.executor;
    result.device_name = executor->description().name;
    result.device_uuid = executor->description().uuid;
    result.driver_version = executor->description().driver_version;
    if (const auto peaks = roofline::nominal_peaks(executor->description()))
        result.peaks = *peaks;
    result.sustained = sustained_ceilings(*executor); // before any of the candidate's code is here
    std::optional<gpu::DeviceWork> work(std::in_place, executor->lock(), executor->device()); // to make what grades it
    auto grading = std::make_unique<GpuGrading>(suite, graded, paths, options, *executor, result);
    work.reset();
    auto failure = grading->run();
    result.seconds.waiting = executor->waited() - waited_before + (share ? share->waited() : 0);
    if (options.last) {
        static_cast<void>(grading.release());
        static_cast<void>(share.release());
        return failure;
    }
    work.emplace(executor->lock(), executor->device()); // to free it
    grading.reset();
    return failure;
}

} // namespace

Result grade(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options) {
    Result result;
    {
        const Stopwatch watch(result.seconds.total);
        try {
            result.failure = grade_into(suite, graded, paths, options, result);
        } catch (const std::exception& error) { // driver::DriverError, a full disk, a broken invariant
            result.failure = Failure{Stage::fault, error.what()};
        }
    }
    return result;
}

} // namespace cudabench
