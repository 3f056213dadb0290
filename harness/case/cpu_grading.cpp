#include "case/cpu_grading.h"

#include "case/entry_points.h"
#include "case/host_note.h"
#include "case/mismatches.h"
#include "case/stopwatch.h"
#include "verify/compare.h"
#include "verify/poison_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace cudabench {
namespace {

// Of one performance, if the options say nothing: tiny cases take milliseconds.
constexpr gpu::Seconds tiny_limit{20};
constexpr gpu::Seconds limit{600};

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

} // namespace

Expected<ExecutorChoice, Failure> executor_choice() {
    const std::string_view value = variable("CUDABENCH_EXECUTOR");
    if (value.empty() || value == "auto")
        return ExecutorChoice::automatic;
    if (value == "gpu")
        return ExecutorChoice::gpu;
    if (value == "cpu")
        return ExecutorChoice::cpu;
    return Failure{Stage::fault, fmt::format("CUDABENCH_EXECUTOR is '{}'; it may be auto, gpu or cpu", value)};
}

bool graded_on_cpu(const Shape& scale) {
    std::string_view rest = variable("CUDABENCH_CPU_SCALES");
    if (scale.name == "tiny" || rest == "all")
        return true;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(','), rest.size());
        if (rest.substr(0, end) == scale.name)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

Expected<std::optional<cpu::Findings>, Failure> checks_on_cpu(const Shape& scale) {
    const std::string_view value = variable("CUDABENCH_CPU_CHECKS");
    if (value.empty())
        return scale.name == "tiny" ? std::optional(cpu::Findings{}) : std::nullopt;
    if (value == "all")
        return std::optional(cpu::Findings{});
    if (value == "none")
        return std::optional<cpu::Findings>();
    cpu::Findings findings{.uninitialised = false, .races = false};
    for (std::string_view rest = value; !rest.empty();) {
        const auto end = std::min(rest.find(','), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (word == "uninitialised")
            findings.uninitialised = true;
        else if (word == "races")
            findings.races = true;
        else
            return Failure{
                Stage::fault,
                fmt::format("CUDABENCH_CPU_CHECKS is '{}'; it may be all, none, or some of uninitialised,races",
                            value)};
    }
    return std::optional(findings);
}

CpuGrading::CpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
                       Result& result)
    : task_(suite.task), graded_(graded), paths_(paths), options_(options), result_(result),
      bench_(task_, paths.recorder, options.limits), device_limit_(options.device_limit) {}

cpu::How CpuGrading::how(const Trial& trial, const std::optional<cpu::Findings>& checks) const {
    const bool quick = task_.scales.at(graded_.scale).name == "tiny";
    return {.threads = std::max(1U, std::thread::hardware_concurrency()),
            .time = device_limit_.value_or(quick ? tiny_limit : limit),
            .poison = verify::poison_word(trial.seed),
            .watch = checks};
}

std::optional<Failure> CpuGrading::run() {
    result_.device_name = "CPU (PTX interpreter)";
    const auto checks = checks_on_cpu(task_.scales.at(graded_.scale));
    if (!checks)
        return checks.error();
    std::vector<Sealed> sealed;
    {
        const auto module = paths_.root / graded_.module;
        auto candidate = cpu::Program::load(module);
        if (!candidate)
            return candidate.error();
        for (const Trial& trial : plan_trials(task_, task_.scales.at(graded_.scale), result_.seed, options_)) {
            auto outputs = perform(*candidate, module, solve_function, trial, *checks, result_.seconds.candidate);
            result_.buffers = bench_.addresses();
            result_.recipe = std::move(recipe_);
            result_.host_dependent = result_.recipe.host_dependent();
            if (!outputs)
                return in_trial(outputs.error(), trial, task_);
            if (trial.stage == Stage::values && !result_.executed)
                result_.executed = counts_;
            sealed.push_back({trial, std::move(*outputs), note_});
        }
    }
    if (options_.stop_after < Stage::edge)
        return std::nullopt;
    bench_.limit({}); // short limits are for candidates
    device_limit_.reset();
    auto reference = cpu::Program::load(paths_.reference);
    if (!reference)
        return Failure{Stage::fault, fmt::format("the reference cannot be loaded: {}", reference.error().message)};
    for (const Sealed& done : sealed)
        if (auto failure = verify_trial(*reference, done))
            return failure;
    return std::nullopt;
}

std::optional<Failure> CpuGrading::verify_trial(cpu::Program& reference, const Sealed& sealed) {
    const Trial trial = as_reference(sealed.trial);
    const auto fault = [&](const Failure& failure) {
        return Failure{Stage::fault, fmt::format("the reference of {} failed ({}): {}", task_.name, name(failure.stage),
                                                 failure.message)};
    };
    const auto expected =
        perform(reference, paths_.reference, solve_function, trial, std::nullopt, result_.seconds.reference);
    if (!expected)
        return fault(expected.error());
    std::vector<Bytes> magnitudes(task_.outputs.size());
    if (needs_magnitude(task_)) {
        auto bounds =
            perform(reference, paths_.reference, magnitude_function, trial, std::nullopt, result_.seconds.reference);
        if (!bounds)
            return fault(bounds.error());
        magnitudes = std::move(*bounds);
    }
    const Stopwatch watch(result_.seconds.verification);
    for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
        const Output& output = task_.outputs[i];
        const verify::Bound bound = verify::make_bound(output.check, output.dtype, trial.shape->output_terms.at(i),
                                                       trial.integers, verify::poison_word(trial.seed));
        const verify::Comparison comparison = verify::compare_on_host(
            bound, {.got = sealed.outputs[i], .expected = (*expected)[i], .magnitude = magnitudes[i]});
        if (comparison.passed())
            continue;
        result_.mismatches = mismatches_of(comparison, output.name);
        return in_trial({trial.stage, verify::describe(comparison, output.name, output.dtype) + sealed.note}, trial,
                        task_);
    }
    return std::nullopt;
}

Expected<std::vector<CpuGrading::Bytes>, Failure>
CpuGrading::perform(cpu::Program& program, const std::filesystem::path& module, const std::string& function,
                    const Trial& trial, const std::optional<cpu::Findings>& checks, double& seconds) {
    {
        const Stopwatch watch(result_.seconds.inputs);
        bench_.open(trial);
    }
    CpuWorkbench::Performed done = bench_.perform(program, module, function, how(trial, checks));
    seconds += done.seconds;
    result_.seconds.recording += done.recording.seconds;
    result_.confined = done.recording.confined;
    recipe_ = std::move(done.recording.recipe);
    counts_ = done.counts;
    note_ = host_note(done.recording);
    if (!done.printed.empty())
        result_.printed = std::move(done.printed);
    if (done.failure)
        return *done.failure;
    std::vector<Bytes> outputs;
    for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
        const auto bytes = bench_.output(i);
        outputs.emplace_back(bytes.begin(), bytes.end());
    }
    return outputs;
}

} // namespace cudabench
