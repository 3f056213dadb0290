#include "case/rehearsal.h"

#include "case/call.h"
#include "case/entry_points.h"
#include "case/stopwatch.h"
#include "case/text_file.h"
#include "device/described.h"
#include "device_code/fat_binary.h"
#include "recipe/validate.h"
#include "recorder/no_answers.h"
#include "recorder/unsafe.h"

#include <span>

namespace cudabench {
namespace {

/// Where buffers would lie on a GPU: nothing is mapped here, host code only sees the numbers.
constexpr recipe::Workspace workspace{.base = 0x200000000000,
                                      .bytes = std::uint64_t{4} << 30,
                                      .span = std::uint64_t{64} << 30,
                                      .granularity = std::uint64_t{2} << 20};
constexpr std::uint64_t buffer_distance = std::uint64_t{16} << 30;

std::vector<recipe::Address> addresses(const Task& task) {
    std::vector<recipe::Address> all;
    for (std::size_t i = 0; i < task.inputs.size() + task.outputs.size(); ++i)
        all.push_back(workspace.base + workspace.span + i * buffer_distance);
    return all;
}

Expected<Done, Failure> validate(const recipe::Recipe& recipe, const recipe::Hello& hello, std::string module) {
    const auto code = device_code::read_shared_object(std::as_bytes(std::span(module)));
    if (!code)
        return code.error();
    return recipe::Validator(hello, *code).check_all(recipe.operations);
}

} // namespace

Failure rehearse(const Suite& suite, const Case& graded, const SuitePaths& paths, const recorder::Limits& limits,
                 const Failure& needs, Result& result) {
    const Shape& shape = suite.task.scales.at(graded.scale);
    result.buffers = addresses(suite.task);
    const recorder::Setup setup{.recorder = paths.recorder,
                                .device = device::h200(),
                                .workspace = workspace,
                                .free_bytes = workspace.bytes,
                                .limits = limits,
                                .unsafe = recorder::unsafe_requested()};
    const recipe::Call call = make_call(suite.task, shape, solve_function, result.buffers);
    recorder::NoAnswers answers(needs);
    const std::filesystem::path module = paths.root / graded.module;
    recorder::Recording recording;
    {
        const Stopwatch watch(result.seconds.recording);
        recording = recorder::record(setup, module, call, answers);
    }
    result.recipe = std::move(recording.recipe);
    result.confined = recording.confined;
    result.printed = recording.output.substr(0, 4096);
    result.host_dependent = answers.asked();
    if (recording.failure)
        return *recording.failure;
    const recipe::Hello hello{setup.device, workspace, setup.free_bytes, setup.limits.recipe, call};
    const auto valid = validate(result.recipe, hello, read_text(module));
    return valid ? needs : valid.error();
}

} // namespace cudabench
