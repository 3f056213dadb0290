#include "case/gpu_grading.h"

#include "case/call.h"
#include "case/device_limit.h"
#include "case/entry_points.h"
#include "case/host_note.h"
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

#include <numeric>
#include <stdexcept>

namespace cudabench {

GpuGrading::GpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
                       gpu::Executor& executor, Result& result)
    : task_(suite.task), graded_(graded), paths_(paths), options_(options), executor_(executor), result_(result),
      scale_(task_.scales.at(graded.scale)), bench_(task_, paths, executor, options.limits),
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

std::optional<Failure> GpuGrading::do_trials(gpu::Program& candidate) {
    const std::vector<Trial> trials = plan_trials(task_, scale_, result_.seed, options_);
    std::vector<recorder::RecordingAhead> begun(trials.size());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (auto failure = do_trial(candidate, trials[i], finish(begun[i])))
            return in_trial(*failure, trials[i], task_);
        // One process after the other would take most of a small verdict.
        if (i == 0 && !result_.host_dependent)
            for (std::size_t later = 1; later < trials.size(); ++later)
                begun[later] = bench_.begin_recording(paths_.root / graded_.module, solve_function, trials[later]);
    }
    return std::nullopt;
}

std::optional<recorder::Recording> GpuGrading::finish(recorder::RecordingAhead& begun) {
    const Stopwatch watch(result_.seconds.recording);
    return begun.valid() ? begun.get() : std::nullopt;
}

std::optional<Failure> GpuGrading::do_trial(gpu::Program& candidate, const Trial& trial,
                                            std::optional<recorder::Recording> ahead) {
    {
        const gpu::DeviceWork work = executor_.work();
        bench_.open(trial);
        executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
        prepare(candidate, trial);
    }
    Performed performed = record_and_perform(candidate, paths_.root / graded_.module, solve_function, std::move(ahead),
                                             result_.seconds.candidate);
    recorder::Recording& recording = performed.recording;
    result_.recipe = std::move(recording.recipe);
    result_.confined = recording.confined;
    if (!performed.printed.empty())
        result_.printed = performed.printed;
    else if (!recording.output.empty())
        result_.printed = recording.output.substr(0, 4096);
    result_.buffers = bench_.addresses();
    result_.host_dependent = result_.recipe.host_dependent();
    if (recording.failure)
        return *recording.failure;
    const gpu::DeviceWork work = executor_.work();
    auto outputs = bench_.seal_intact_outputs();
    if (!outputs)
        return Failure{Stage::launch, "wrote outside an output, between its end and the end of its memory page"};
    sealed_.push_back({trial, std::move(*outputs), host_note(recording)});
    return std::nullopt;
}

void GpuGrading::prepare(const gpu::Program& candidate, const Trial& trial) {
    {
        const Stopwatch watch(result_.seconds.inputs);
        bench_.fill(generator_, trial);
    }
    executor_.restart_recipe(candidate, gpu::PoisonPattern::not_a_number, trial.seed);
}

GpuGrading::Performed GpuGrading::record_and_perform(gpu::Program& program, const std::filesystem::path& module,
                                                     const std::string& function,
                                                     std::optional<recorder::Recording> ahead, double& seconds) {
    const Stopwatch watch(seconds);
    gpu::Performance performance = executor_.performance(program, device_limit_);
    Performed performed{bench_.record_and_start(performance, program, module, function, std::move(ahead)), {}};
    recorder::Recording& recording = performed.recording;
    result_.seconds.recording += recording.seconds;
    seconds -= recording.seconds;
    if (recording.failure)
        return performed;
    auto printed = performance.finish();
    if (printed)
        performed.printed = std::move(*printed);
    else
        recording.failure = printed.error();
    return performed;
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
                                             repetitions[*place].emplace(Sealed{current, bench_.seal_outputs(), {}});
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
    bench_.trust();
    making.reset();
    recorder::RecordingsAhead own;
    recorder::RecordingsAhead& recordings = options_.reference != nullptr ? *options_.reference : own;
    record_reference(recordings);
    for (Sealed& sealed : sealed_)
        if (auto failure = verify_trial(*reference, verifier, generator, sealed, recordings))
            return failure;
    return std::nullopt;
}

void GpuGrading::record_reference(recorder::RecordingsAhead& recordings) {
    const Stopwatch watch(result_.seconds.recording);
    for (const Sealed& sealed : sealed_)
        bench_.begin_reference(recordings, sealed.trial);
    recordings.wait(); // now, when no other waits for this process to leave the GPU
}

std::optional<Failure> GpuGrading::verify_trial(gpu::Program& reference, const verify::Verifier& verifier,
                                                const Generator& generator, Sealed& sealed,
                                                const recorder::RecordingsAhead& recordings) {
    const Trial trial = as_reference(sealed.trial);
    const gpu::DeviceWork work = executor_.work();
    bench_.open(trial);
    bench_.generate(generator, trial);
    if (auto failure = perform_reference(reference, trial, solve_function, recordings))
        return failure;
    const std::vector<driver::DeviceMemory> expected = bench_.copy_outputs();
    const bool bounded = needs_magnitude(task_);
    if (bounded)
        if (auto failure = perform_reference(reference, trial, magnitude_function, recordings))
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
        return in_trial({trial.stage, verify::describe(comparison, output.name, output.dtype) + sealed.note}, trial,
                        task_);
    }
    return std::nullopt;
}

std::optional<Failure> GpuGrading::perform_reference(gpu::Program& reference, const Trial& trial,
                                                     const std::string& function,
                                                     const recorder::RecordingsAhead& recordings) {
    executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
    executor_.restart_recipe(reference, gpu::PoisonPattern::not_a_number, trial.seed);
    bench_.poison_outputs(trial.seed);
    const auto failure =
        record_and_perform(reference, paths_.reference, function,
                           recordings.find(paths_.reference, bench_.call(function, trial)), result_.seconds.reference)
            .recording.failure;
    if (!failure)
        return std::nullopt;
    return Failure{Stage::fault, fmt::format("the reference of {} failed ({}): {}", task_.name, name(failure->stage),
                                             failure->message)};
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
