#include "case/gpu_grading.h"

#include "case/call.h"
#include "case/device_limit.h"
#include "case/entry_points.h"
#include "case/mismatches.h"
#include "case/repetition_sample.h"
#include "case/stopwatch.h"
#include "driver/lost.h"
#include "inputs/seed.h"
#include "measure/empty_recipe.h"
#include "measure/time_recipe.h"
#include "roofline/scores.h"
#include "verify/poison_word.h"

#include <fmt/format.h>

#include <future>
#include <numeric>
#include <stdexcept>

namespace cudabench {

GpuGrading::GpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
                       gpu::Executor& executor, Result& result)
    : suite_(suite), task_(suite.task), graded_(graded), paths_(paths), options_(options), executor_(executor),
      result_(result), scale_(task_.scales.at(graded.scale)), bench_(task_, paths, executor, options.limits),
      generator_(executor.device().driver()),
      device_limit_(options.device_limit.value_or(device_limit(scale_.model, executor.description()))) {}

std::optional<Failure> GpuGrading::run() {
    if (auto failure = do_the_candidates_work())
        return failure;
    if (options_.stop_after >= Stage::edge)
        if (auto failure = verify())
            return failure;
    return options_.stop_after >= Stage::plausible ? score() : std::nullopt;
}

Expected<gpu::Program, Failure> GpuGrading::load(const std::filesystem::path& module) const {
    const gpu::DeviceWork work = executor_.work();
    return executor_.load(module);
}

std::optional<Failure> GpuGrading::do_the_candidates_work() {
    auto candidate = load(paths_.root / graded_.module);
    if (!candidate)
        return not_loaded(candidate.error());
    try {
        if (auto failure = do_trials(*candidate))
            return failure;
        return options_.stop_after >= Stage::measured ? time(*candidate) : std::nullopt;
    } catch (const std::logic_error& error) {
        // A recipe that was valid by what the file says, and is not by what the driver made of it: no compiler's work.
        return Failure{Stage::contract, fmt::format("device code that is not what it declares: {}", error.what())};
    }
}

Failure GpuGrading::not_loaded(const Failure& failure) const {
    // Both were compiled with the same options: if one of them can be loaded here, the other's code is to blame.
    const bool reference_loads = load(paths_.reference).has_value();
    return {failure.stage == Stage::fault && reference_loads ? Stage::contract : failure.stage, failure.message};
}

// The candidate's work.

bool GpuGrading::wanted(const Trial& trial) const {
    return trial.stage == Stage::edge ? options_.edges : options_.stop_after != Stage::edge;
}

std::optional<Failure> GpuGrading::do_trials(gpu::Program& candidate) {
    for (const Trial& trial : plan_trials(task_, scale_, result_.seed))
        if (wanted(trial))
            if (auto failure = do_trial(candidate, trial))
                return in_trial(*failure, trial, task_);
    return std::nullopt;
}

std::optional<Failure> GpuGrading::do_trial(gpu::Program& candidate, const Trial& trial) {
    {
        const gpu::DeviceWork work = executor_.work();
        bench_.open(trial);
        executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
        prepare(candidate, trial);
    }
    const auto performed = record_and_perform(candidate, paths_.root / graded_.module, solve_function, result_.recipe,
                                              &result_.seconds.candidate);
    result_.buffers = bench_.addresses();
    result_.host_dependent = result_.recipe.host_dependent();
    if (!performed)
        return performed.error();
    const gpu::DeviceWork work = executor_.work();
    if (!bench_.buffers().slack_is_intact(executor_.poison()))
        return Failure{Stage::launch, "wrote outside an output, between its end and the end of its memory page"};
    sealed_.push_back({trial, bench_.seal_outputs()});
    return std::nullopt;
}

void GpuGrading::prepare(const gpu::Program& candidate, const Trial& trial) {
    {
        const Stopwatch watch(result_.seconds.inputs);
        bench_.generate(generator_, trial);
    }
    executor_.restart_recipe(candidate, gpu::PoisonPattern::not_a_number, trial.seed);
    bench_.poison_outputs(trial.seed);
}

Expected<Done, Failure> GpuGrading::record_and_perform(gpu::Program& program, const std::filesystem::path& module,
                                                       const std::string& function, recipe::Recipe& recipe,
                                                       double* seconds) {
    const Stopwatch watch(*seconds);
    gpu::Performance performance = executor_.performance(program, device_limit_);
    recorder::Recording recording = bench_.record_and_start(performance, program, module, function);
    result_.seconds.recording += recording.seconds;
    *seconds -= recording.seconds;
    recipe = std::move(recording.recipe);
    result_.confined = recording.confined;
    if (!recording.output.empty())
        result_.printed = recording.output.substr(0, 4096);
    if (recording.failure)
        return *recording.failure;
    const auto printed = performance.finish();
    if (!printed)
        return printed.error();
    if (!printed->empty())
        result_.printed = *printed;
    return Done{};
}

std::optional<Failure> GpuGrading::time(gpu::Program& candidate) {
    // The trials left the buffers as the timed repetitions need them: the scale's shape, at the start of pages.
    // Alone also while the empty recipe is timed and repetitions are prepared: one wait for others instead of many.
    const gpu::GpuLock::Exclusive alone(executor_.lock());
    const Stopwatch watch(result_.seconds.timing);
    const measure::Conditions conditions(executor_.device());
    const auto empty = measure::time_empty_recipe(executor_, conditions);
    if (!empty)
        return Failure{Stage::fault, empty.error().message};

    const auto sizes = output_bytes(task_, scale_);
    const std::size_t sampled =
        RepetitionSample::size_for(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
    const RepetitionSample sample(result_.seed, sampled);
    std::vector<std::optional<Sealed>> repetitions(sampled);
    Trial current;
    const measure::Around around{.prepare =
                                     [&](unsigned count) {
                                         current = repetition_trial(scale_, result_.seed, count);
                                         prepare(candidate, current);
                                     },
                                 .after =
                                     [&](unsigned repetition) {
                                         if (const auto place = sample.place(repetition)) {
                                             repetitions[*place].reset(); // its memory first
                                             repetitions[*place].emplace(Sealed{current, bench_.seal_outputs()});
                                         }
                                     }};
    const auto module = paths_.root / graded_.module;
    const auto record_anew = [&](gpu::Performance& performance) -> Expected<Done, Failure> {
        const auto recording = bench_.record_and_start(performance, candidate, module, solve_function);
        return recording.failure ? Expected<Done, Failure>(*recording.failure) : Done{};
    };
    const auto timing =
        result_.host_dependent
            ? measure::time_interaction(executor_, conditions, candidate, record_anew, around, device_limit_)
            : measure::time_recipe(executor_, conditions, candidate, result_.recipe, around, device_limit_);
    if (!timing)
        return timing.error();
    for (std::optional<Sealed>& repetition : repetitions)
        if (repetition)
            sealed_.push_back(std::move(*repetition));
    result_.measurement = Measurement{.seconds = timing->seconds,
                                      .low = timing->low,
                                      .high = timing->high,
                                      .repetitions = static_cast<int>(timing->repetitions.size()),
                                      .spread = timing->spread,
                                      .empty_recipe_seconds = empty->seconds,
                                      .sm_clock_hz = timing->sm_clock_hz,
                                      .steady = timing->steady,
                                      .host_gaps = timing->host_gaps,
                                      .gpu = measure::gpu_state(executor_.description().uuid)};
    return std::nullopt;
}

// The trusted side.

std::optional<Failure> GpuGrading::verify() {
    // Short limits are for candidates.
    bench_.limit({});
    device_limit_ = device_limit(scale_.model, executor_.description());
    auto reference = load(paths_.reference);
    if (!reference)
        return Failure{Stage::fault, fmt::format("the reference cannot be loaded: {}", reference.error().message)};
    std::optional<gpu::DeviceWork> making(std::in_place, executor_.lock(), executor_.device());
    const verify::Verifier verifier(executor_.device().driver(), executor_.device().stream());
    // Anew, since the candidate's kernels ran in the same address space as the one that made its inputs.
    const Generator generator(executor_.device().driver());
    making.reset();
    ReferenceRecipes recipes = record_reference(*reference);
    for (Sealed& sealed : sealed_)
        if (auto failure = verify_trial(*reference, verifier, generator, sealed, recipes))
            return failure;
    return std::nullopt;
}

GpuGrading::ReferenceRecipes GpuGrading::record_reference(const gpu::Program& reference) {
    const Stopwatch watch(result_.seconds.recording);
    std::vector<std::string> functions{solve_function};
    if (needs_magnitude(task_))
        functions.emplace_back(magnitude_function);
    std::map<ReferenceRecipes::key_type, std::future<std::optional<recipe::Recipe>>> begun;
    for (const Sealed& sealed : sealed_)
        for (const std::string& function : functions) {
            const Shape* const shape = sealed.trial.shape;
            if (!begun.contains({shape, function}))
                begun[{shape, function}] = std::async([this, &reference, function, shape] {
                    return bench_.record_ahead(reference, paths_.reference, function, *shape);
                });
        }
    ReferenceRecipes recipes;
    for (auto& [key, recorded] : begun)
        if (auto recipe = recorded.get())
            recipes.emplace(key, std::move(*recipe));
    return recipes;
}

std::optional<Failure> GpuGrading::verify_trial(gpu::Program& reference, const verify::Verifier& verifier,
                                                const Generator& generator, Sealed& sealed, ReferenceRecipes& recipes) {
    Trial trial = sealed.trial;
    trial.at_end = false; // one recipe of the reference serves all trials of a shape
    const gpu::DeviceWork work = executor_.work();
    bench_.open(trial);
    bench_.generate(generator, trial);
    if (auto failure = perform_reference(reference, trial, solve_function, recipes))
        return failure;
    const std::vector<driver::DeviceMemory> expected = bench_.copy_outputs();
    const bool bounded = needs_magnitude(task_);
    if (bounded)
        if (auto failure = perform_reference(reference, trial, magnitude_function, recipes))
            return failure;

    const Stopwatch watch(result_.seconds.verification);
    for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
        const Output& output = task_.outputs[i];
        const verify::Bound bound = verify::make_bound(output.check, output.dtype, trial.shape->output_terms.at(i),
                                                       trial.integers, verify::poison_word(trial.seed));
        const verify::Comparison comparison =
            verifier.compare(bound, {.got = sealed.outputs[i].open().address,
                                     .expected = expected[i].get(),
                                     .magnitude = bounded ? bench_.buffers().outputs()[i].address : 0,
                                     .elements = trial.shape->output_elements.at(i)});
        if (comparison.passed())
            continue;
        result_.mismatches = mismatches_of(comparison, output.name);
        return in_trial({trial.stage, verify::describe(comparison, output.name, output.dtype)}, trial, task_);
    }
    return std::nullopt;
}

std::optional<Failure> GpuGrading::perform_reference(gpu::Program& reference, const Trial& trial,
                                                     const std::string& function, ReferenceRecipes& recipes) {
    const auto fault = [&](const Failure& failure) {
        return Failure{Stage::fault, fmt::format("the reference of {} failed ({}): {}", task_.name, name(failure.stage),
                                                 failure.message)};
    };
    executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
    executor_.restart_recipe(reference, gpu::PoisonPattern::not_a_number, trial.seed);
    bench_.poison_outputs(trial.seed);
    const auto known = recipes.find({trial.shape, function});
    if (known != recipes.end()) {
        const Stopwatch watch(result_.seconds.reference);
        const auto performed = executor_.perform(reference, known->second, device_limit_);
        return performed ? std::nullopt : std::optional(fault(performed.error()));
    }
    recipe::Recipe& recipe = recipes[{trial.shape, function}];
    const auto performed =
        record_and_perform(reference, paths_.reference, function, recipe, &result_.seconds.reference);
    return performed ? std::nullopt : std::optional(fault(performed.error()));
}

std::optional<Failure> GpuGrading::score() {
    const auto peaks = roofline::nominal_peaks(executor_.description());
    if (!peaks) {
        result_.marks.push_back("no_peaks");
        return std::nullopt;
    }
    const roofline::Scores scores = roofline::score({.performed = scale_.model,
                                                     .model = scale_.model,
                                                     .floor = scale_.floor,
                                                     .seconds = result_.measurement->seconds,
                                                     .empty_seconds = result_.measurement->empty_recipe_seconds},
                                                    *peaks);
    result_.work = scale_.model;
    result_.scores = Scores{.performance = scores.performance,
                            .speed_of_light = scores.speed_of_light,
                            .attainable_seconds = scores.model_seconds};
    if (scores.launch_bound)
        result_.marks.push_back("launch_bound");
    if (scores.beats_model)
        result_.marks.push_back("beats_model");
    if (!scores.implausible)
        return std::nullopt;
    return Failure{
        Stage::plausible,
        fmt::format("took {:.3g} s, which is faster than {:.3g} s, the time of the bytes and operations that "
                    "any correct kernel needs",
                    result_.measurement->seconds, scores.floor_seconds)};
}

} // namespace cudabench
