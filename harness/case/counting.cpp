#include "case/counting.h"

#include "case/device_limit.h"
#include "case/device_memory.h"
#include "case/entry_points.h"
#include "case/stopwatch.h"
#include "case/workbench.h"
#include "counters/self_test.h"
#include "device_code/tensor_cores.h"
#include "inputs/generate.h"
#include "roofline/performed_work.h"
#include "roofline/scores.h"

namespace cudabench {

Counting::Counting(gpu::Executor& executor)
    : executor_(executor), lock_(executor.description().uuid), cache_(executor.device()) {
    const gpu::GpuLock::Exclusive alone(executor_.lock());
    auto profiler = counters::Profiler::create(executor_.device());
    if (!profiler)
        unavailable_ = profiler.error();
    else
        profiler_ = std::move(*profiler);
}

CountedResult Counting::count(const Suite& suite, const Case& counted, const SuitePaths& paths, std::uint64_t seed,
                              const GradeOptions& options) {
    CountedResult result;
    const device::Description& device = executor_.description();
    result.device_name = device.name;
    result.device_uuid = device.uuid;
    result.driver_version = device.driver_version;
    result.failure = unavailable_;
    if (unavailable_)
        return result;
    result.chip = profiler_->chip();
    auto counts = [&] {
        const Stopwatch watch(result.seconds);
        try {
            return count_into(suite, counted, paths, seed, options, result);
        } catch (const driver::DriverError& error) {
            return Expected<counters::Counts, Failure>(Failure{Stage::fault, error.what()});
        }
    }();
    if (!counts) {
        result.failure = counts.error();
        return result;
    }
    result.counts = std::move(*counts);
    if (const auto peaks = roofline::nominal_peaks(device)) {
        const Work& model = suite.task.scales.at(counted.scale).model;
        result.work = roofline::performed_work(result.counts, {suite.task.tensor_admitted, model.fp64 > 0}, *peaks);
        result.attainable_seconds = roofline::attainable_seconds(*result.work, *peaks);
    }
    return result;
}

Expected<Done, Failure> Counting::prove(bool tensor_cores) {
    if (proven_.contains(tensor_cores))
        return Done{};
    const gpu::GpuLock::Exclusive alone(executor_.lock());
    unavailable_ = counters::self_test(*profiler_, executor_.device(), cache_, tensor_cores);
    if (unavailable_)
        return *unavailable_;
    proven_.insert(tensor_cores);
    return Done{};
}

Expected<counters::Counts, Failure> Counting::count_into(const Suite& suite, const Case& counted,
                                                         const SuitePaths& paths, std::uint64_t seed,
                                                         const GradeOptions& options, CountedResult& result) {
    const Shape& scale = suite.task.scales.at(counted.scale);
    const Trial trial = repetition_trial(scale, seed, 0);
    const auto module = paths.root / counted.module;
    const gpu::Seconds limit = options.device_limit.value_or(device_limit(scale.model, executor_.description()));
    const auto share = executor_.share_of_memory(gpu::Executor::context_bytes + device_memory(suite.task, scale));
    std::optional<gpu::DeviceWork> work(std::in_place, executor_.lock(), executor_.device());
    auto candidate = executor_.load(module);
    work.reset();
    if (!candidate)
        return candidate.error();
    const bool tensor_cores = device_code::may_use_tensor_cores(candidate->code());
    result.passes = profiler_->passes(tensor_cores);
    if (const auto proven = prove(tensor_cores); !proven) // before anything of the candidate runs here
        return proven.error();
    work.emplace(executor_.lock(), executor_.device());
    Workbench bench(suite.task, paths, executor_, options.limits);
    const Generator generator(executor_.device().driver());

    const auto restart = [&] {
        bench.fill(generator, trial);
        executor_.restart_recipe(*candidate, gpu::PoisonPattern::not_a_number, trial.seed);
    };
    recipe::Recipe recipe;
    const auto record_and_perform = [&]() -> Expected<Done, Failure> {
        gpu::Performance performance = executor_.performance(*candidate, limit);
        recorder::Recording recording = bench.record_and_start(performance, *candidate, module, solve_function);
        recipe = std::move(recording.recipe);
        if (recording.failure)
            return *recording.failure;
        const auto done = performance.finish();
        return done ? Expected<Done, Failure>(Done{}) : done.error();
    };
    const auto perform = [&]() -> Expected<Done, Failure> {
        const auto done = executor_.perform(*candidate, recipe, limit);
        return done ? Expected<Done, Failure>(Done{}) : done.error();
    };

    bench.open(trial);
    executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
    restart();
    work.reset();
    if (const auto performed = record_and_perform(); !performed)
        return performed.error();
    result.host_dependent = recipe.host_dependent();
    const gpu::GpuLock::Exclusive alone(executor_.lock());
    counters::Counted profiled{.prepare =
                                   [&] {
                                       restart();
                                       cache_.sweep();
                                   },
                               .perform = perform,
                               .tensor_cores = tensor_cores};
    if (result.host_dependent)
        profiled.perform = record_and_perform;
    auto counts = profiler_->count(profiled);
    work.emplace(executor_.lock(), executor_.device()); // while the candidate and its memory are freed
    return counts;
}

} // namespace cudabench
