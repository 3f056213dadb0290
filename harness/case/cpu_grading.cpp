#include "case/cpu_grading.h"

#include "case/call.h"
#include "case/cpu_answers.h"
#include "case/stopwatch.h"
#include "device/described.h"
#include "inputs/generate.h"
#include "recorder/unsafe.h"
#include "verify/compare.h"
#include "verify/poison_word.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

namespace cudabench {
namespace {

constexpr const char* solve = "cudabench_call";
constexpr const char* magnitude = "cudabench_magnitude";

/// Addresses as on a GPU (executor/gpu/address_range.h).
constexpr recipe::Workspace workspace{.base = 0x200000000000,
                                      .bytes = std::uint64_t{4} << 30,
                                      .span = std::uint64_t{64} << 30,
                                      .granularity = std::uint64_t{2} << 20};
constexpr std::uint64_t buffer_distance = std::uint64_t{16} << 30;
constexpr std::uint64_t buffer_alignment = 16;

// Of one performance, if the options say nothing: tiny cases take milliseconds.
constexpr gpu::Seconds tiny_limit{20};
constexpr gpu::Seconds limit{600};

/// A GPU as host code may believe it to be, but for its multiprocessors: grids that are sized by them stay small.
device::Description described_device() {
    constexpr int multiprocessors = 8;
    device::Description device = device::h200();
    device.attributes.at(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) = multiprocessors;
    return device;
}

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

Failure in_trial(const Failure& failure, const Trial& trial, const Task& task) {
    return {failure.stage, fmt::format("{}; {}", failure.message, describe(trial, task))};
}

Mismatches mismatches_of(const verify::Comparison& comparison, const std::string& output) {
    Mismatches all{.output = output, .count = comparison.mismatches, .total = comparison.total, .first = {}};
    for (const verify::Difference& d : comparison.first)
        all.first.push_back({.index = d.index, .expected = d.expected, .got = d.got, .allowed = d.allowed});
    return all;
}

bool has_bounded_check(const Task& task) {
    return std::ranges::any_of(task.outputs, [](const Output& output) { return !output.check.exact; });
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

CpuGrading::CpuGrading(const Suite& suite, const Case& graded, const SuitePaths& paths, const GradeOptions& options,
                       Result& result)
    : suite_(suite), task_(suite.task), graded_(graded), paths_(paths), options_(options), result_(result) {}

bool CpuGrading::wanted(const Trial& trial) const {
    return trial.stage == Stage::edge ? options_.edges : options_.stop_after != Stage::edge;
}

cpu::How CpuGrading::how(const Trial& trial) const {
    const bool quick = task_.scales.at(graded_.scale).name == "tiny";
    return {.threads = std::max(1U, std::thread::hardware_concurrency()),
            .time = options_.device_limit.value_or(quick ? tiny_limit : limit),
            .poison = verify::poison_word(trial.seed)};
}

std::optional<Failure> CpuGrading::run() {
    result_.device_name = "CPU (PTX interpreter)";
    std::vector<Sealed> sealed;
    {
        const auto module = paths_.root / graded_.module;
        auto candidate = cpu::Program::load(module);
        if (!candidate)
            return candidate.error();
        for (const Trial& trial : plan_trials(task_, task_.scales.at(graded_.scale), result_.seed)) {
            if (!wanted(trial))
                continue;
            auto outputs = perform(*candidate, module, solve, trial, result_.seconds.candidate);
            result_.buffers = addresses();
            result_.recipe = std::move(recipe_);
            result_.host_dependent = result_.recipe.host_dependent();
            if (!outputs)
                return in_trial(outputs.error(), trial, task_);
            sealed.push_back({trial, std::move(*outputs)});
        }
    }
    if (options_.stop_after < Stage::edge)
        return std::nullopt;
    auto reference = cpu::Program::load(paths_.reference);
    if (!reference)
        return Failure{Stage::fault, fmt::format("the reference cannot be loaded: {}", reference.error().message)};
    for (const Sealed& done : sealed)
        if (auto failure = verify_trial(*reference, done))
            return failure;
    return std::nullopt;
}

std::optional<Failure> CpuGrading::verify_trial(cpu::Program& reference, const Sealed& sealed) {
    Trial trial = sealed.trial;
    trial.at_end = false;
    const auto fault = [&](const Failure& failure) {
        return Failure{Stage::fault, fmt::format("the reference of {} failed ({}): {}", task_.name, name(failure.stage),
                                                 failure.message)};
    };
    const auto expected = perform(reference, paths_.reference, solve, trial, result_.seconds.reference);
    if (!expected)
        return fault(expected.error());
    std::vector<Bytes> magnitudes(task_.outputs.size());
    if (has_bounded_check(task_)) {
        auto bounds = perform(reference, paths_.reference, magnitude, trial, result_.seconds.reference);
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
        return in_trial({trial.stage, verify::describe(comparison, output.name, output.dtype)}, trial, task_);
    }
    return std::nullopt;
}

/// Inputs that cannot be written, outputs full of poison; both exactly as long as they are.
void CpuGrading::map_buffers(const Trial& trial) {
    memory_.clear();
    inputs_.clear();
    outputs_.clear();
    const std::uint32_t poison = verify::poison_word(trial.seed);
    recipe::Address page = workspace.base + workspace.span;
    const auto map = [&](std::uint64_t bytes, bool writable, const std::string& called) {
        // Against the end of a page or its start, as on a GPU: what depends on the alignment shows here too.
        const std::uint64_t from_end = (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
        const recipe::Address address = trial.at_end ? page + buffer_distance / 2 - from_end : page;
        page += buffer_distance;
        if (bytes != 0)
            memory_.map(address, bytes, writable, called, poison);
        return address;
    };
    const Stopwatch watch(result_.seconds.inputs);
    const std::vector<std::uint64_t> sizes = input_bytes(task_, *trial.shape);
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
        const Input& input = task_.inputs[i];
        inputs_.push_back(map(sizes[i], false, input.name));
        if (sizes[i] != 0)
            generate_on_host(prepare_draw(trial.integers ? input.integers : input.values, input.dtype, trial.seed,
                                          static_cast<std::uint32_t>(i), trial.shape->input_elements.at(i)),
                             {memory_.at(inputs_.back(), sizes[i]), sizes[i]});
    }
    const std::vector<std::uint64_t> written = output_bytes(task_, *trial.shape);
    for (std::size_t i = 0; i < task_.outputs.size(); ++i)
        outputs_.push_back(map(written[i], true, task_.outputs[i].name));
}

Expected<std::vector<CpuGrading::Bytes>, Failure> CpuGrading::perform(cpu::Program& program,
                                                                      const std::filesystem::path& module,
                                                                      const std::string& function, const Trial& trial,
                                                                      double& seconds) {
    map_buffers(trial);
    program.place_globals(memory_);
    const recorder::Setup setup{.recorder = paths_.recorder,
                                .device = described_device(),
                                .workspace = workspace,
                                .free_bytes = workspace.bytes,
                                .limits = options_.limits,
                                .unsafe = recorder::unsafe_requested()};
    const recipe::Call call = make_call(task_, *trial.shape, function, addresses());
    const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call};
    cpu::Performance performance(memory_, program, how(trial));
    CpuAnswers answers(performance, program, hello);
    {
        const Stopwatch watch(result_.seconds.recording);
        recorder::Recording recording = recorder::record(setup, module, call, answers);
        recipe_ = std::move(recording.recipe);
        result_.confined = recording.confined;
        if (!recording.output.empty())
            result_.printed = recording.output.substr(0, 4096);
        if (recording.failure)
            return *recording.failure;
    }
    const Stopwatch watch(seconds);
    if (const auto performed = answers.perform_rest(recipe_); !performed)
        return performed.error();
    if (const auto printed = performance.finish(); printed && !printed->empty())
        result_.printed = *printed;
    std::vector<Bytes> outputs;
    const std::vector<std::uint64_t> sizes = output_bytes(task_, *trial.shape);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        Bytes bytes(sizes[i]);
        if (!bytes.empty())
            std::memcpy(bytes.data(), memory_.at(outputs_[i], sizes[i]), sizes[i]);
        outputs.push_back(std::move(bytes));
    }
    return outputs;
}

std::vector<recipe::Address> CpuGrading::addresses() const {
    std::vector<recipe::Address> all = inputs_;
    all.insert(all.end(), outputs_.begin(), outputs_.end());
    return all;
}

} // namespace cudabench
