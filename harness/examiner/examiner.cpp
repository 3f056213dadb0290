#include "examiner/examiner.h"

#include "case/call.h"
#include "case/case.h"
#include "case/entry_points.h"
#include "case/suite_paths.h"
#include "case/text_file.h"
#include "inputs/generate.h"
#include "outcome/failure.h"
#include "verify/bound.h"
#include "verify/poison.h"
#include "verify/poison_word.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string_view>

namespace cudabench::examiner {
namespace {

using Json = nlohmann::json;

std::string text(const Json& json, const char* field) {
    if (!json.contains(field) || !json[field].is_string())
        throw std::runtime_error(fmt::format("{}: must be a text", field));
    return json[field].get<std::string>();
}

std::uint64_t seed(const Json& json) {
    const std::string digits = text(json, "seed");
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    if (!digits.starts_with("0x") || std::from_chars(digits.data() + 2, end, value, 16).ptr != end)
        throw std::runtime_error("seed: must be 64 bits, hexadecimal after 0x");
    return value;
}

Shape shape_of(const Task& task, const std::string& name) {
    for (const auto* const shapes : {&task.scales, &task.edges})
        if (const auto at = std::ranges::find(*shapes, name, &Shape::name); at != shapes->end())
            return *at;
    throw std::runtime_error(fmt::format("shape: {} has none that is called {}", task.name, name));
}

void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush())
        throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

Bytes bytes_of(const std::string& content) {
    const auto bytes = std::as_bytes(std::span(content));
    return {bytes.begin(), bytes.end()};
}

Json failed(const Failure& failure) {
    return {{"failure", {{"stage", name(failure.stage)}, {"message", failure.message}}}};
}

/// null where it is infinite: JSON has no word for that.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const cpu::Counts& counts) {
    Json json = Json::object();
    for (std::size_t i = 0; i < cpu::quantity_count; ++i)
        json[std::string(cpu::name(static_cast<cpu::Quantity>(i)))] = counts.values[i];
    return json;
}

std::filesystem::path recorder() {
    const Task none{};
    const Suite suite{.task = none,
                      .cases = {},
                      .name = "examiner",
                      .reference_module = {},
                      .recorder = "cudabench_recorder", // beside this program
                      .results = {},
                      .depth = 0};
    return SuitePaths(suite).recorder;
}

} // namespace

Examiner::Examiner(const std::filesystem::path& tasks, gpu::Executor* executor)
    : tasks_(tasks),
      performer_(executor == nullptr ? performer_on_cpu(recorder()) : performer_on_gpu(recorder(), *executor)) {}

std::string Examiner::reply(const std::string& line) {
    Json reply;
    try {
        reply = answer(Json::parse(line, nullptr, false));
    } catch (const std::exception& error) {
        reply = {{"error", error.what()}};
    }
    return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Examiner::answer(const Json& request) {
    if (!request.is_object())
        throw std::runtime_error("a request is a JSON object in one line");
    const std::string wanted = text(request, "do");
    if (wanted == "open")
        return open(request);
    if (wanted == "judge")
        return judge(request.value("answers", Json::object()));
    if (wanted == "perform")
        return perform(request);
    throw std::runtime_error("do: must be open, judge or perform");
}

Json Examiner::open(const Json& request) {
    opened_.reset();
    auto next = std::make_unique<Opened>();
    next->task = tasks_.task(text(request, "task"));
    next->shape = shape_of(next->task, text(request, "shape"));
    next->trial = {.shape = &next->shape,
                   .seed = seed(request),
                   .integers = request.value("integers", false),
                   .at_end = true,
                   .stage = Stage::values};
    const Task& task = next->task;
    const std::filesystem::path module = tasks_.reference(task);
    auto expected = performer_->perform(task, next->trial, {module, solve_function}, {});
    if (!expected)
        return failed(expected.error());
    next->expected = std::move(expected->outputs);
    next->magnitudes.resize(task.outputs.size());
    if (needs_magnitude(task)) {
        auto magnitudes = performer_->perform(task, next->trial, {module, magnitude_function}, {});
        if (!magnitudes)
            return failed(magnitudes.error());
        next->magnitudes = std::move(magnitudes->outputs);
    }
    const std::filesystem::path folder = text(request, "folder");
    const std::vector<std::uint64_t> sizes = input_bytes(task, next->shape);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
        Bytes values(sizes[i]);
        generate_on_host(input_draw(task, next->trial, i), values);
        write(folder / ("input." + task.inputs[i].name), values);
    }
    for (std::size_t i = 0; i < task.outputs.size(); ++i) {
        write(folder / ("expected." + task.outputs[i].name), next->expected[i]);
        if (needs_magnitude(task))
            write(folder / ("magnitude." + task.outputs[i].name), next->magnitudes[i]);
    }
    opened_ = std::move(next);
    return {{"opened", opened_->shape.name}};
}

Json Examiner::judge(const Json& answers) const {
    const Opened& with = opened();
    std::vector<Bytes> given;
    for (std::size_t i = 0; i < with.task.outputs.size(); ++i) {
        const std::string& name = with.task.outputs[i].name;
        if (answers.contains(name)) {
            given.push_back(bytes_of(read_text(text(answers, name.c_str()))));
        } else {
            given.emplace_back(with.expected[i].size());
            verify::fill_poison(given.back(), verify::poison_word(with.trial.seed));
        }
    }
    return compared(given);
}

Json Examiner::perform(const Json& request) {
    const Opened& with = opened();
    const Function function{text(request, "module"), request.value("function", solve_function)};
    const How how{.limit = gpu::Seconds(request.value("seconds", How{}.limit.count())), .watched = true};
    const auto performed = performer_->perform(with.task, with.trial, function, how);
    if (!performed)
        return failed(performed.error());
    Json answer = compared(performed->outputs);
    answer["counts"] = performed->counts ? to_json(*performed->counts) : Json(nullptr);
    return answer;
}

Json Examiner::compared(const std::vector<Bytes>& answers) const {
    const Opened& with = opened();
    Json outputs = Json::object();
    for (std::size_t i = 0; i < with.task.outputs.size(); ++i) {
        const Output& output = with.task.outputs[i];
        const verify::Bound bound = verify::make_bound(output.check, output.dtype, with.shape.output_terms.at(i),
                                                       with.trial.integers, verify::poison_word(with.trial.seed));
        const verify::Comparison comparison = verify::compare_on_host(
            bound, {.got = answers[i], .expected = with.expected[i], .magnitude = with.magnitudes[i]});
        const double rms = comparison.rms_limit == 0 ? 0 : comparison.rms / comparison.rms_limit;
        outputs[output.name] = {{"passed", comparison.passed()},
                                {"mismatches", comparison.mismatches},
                                {"total", comparison.total},
                                {"ratio", number(comparison.worst_ratio)},
                                {"rms", number(rms)}};
    }
    return {{"outputs", outputs}};
}

const Examiner::Opened& Examiner::opened() const {
    if (!opened_)
        throw std::runtime_error("no inputs have been opened");
    return *opened_;
}

} // namespace cudabench::examiner
