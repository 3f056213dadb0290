#include "case/result.h"

#include "case/case.h"
#include "case/recipe_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace cudabench {
namespace {

/// Names in a message can be as long as a candidate's source.
std::string shortened(const std::string& message) {
    constexpr std::size_t longest = 4000;
    return message.size() <= longest ? message : message.substr(0, longest) + "...";
}

using Json = nlohmann::ordered_json;

/// JSON has no NaN or infinity: those become strings.
Json number(double value) {
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json to_json(const Mismatches& mismatches) {
    Json first = Json::array();
    for (const Mismatch& m : mismatches.first)
        first.push_back({{"index", m.index},
                         {"expected", number(m.expected)},
                         {"got", number(m.got)},
                         {"allowed", number(m.allowed)}});
    return {{"output", mismatches.output}, {"count", mismatches.count}, {"total", mismatches.total}, {"first", first}};
}

/// A result is for reading: what an endless loop of launches asked for need not be in it whole.
constexpr std::size_t operations_shown = 64;

Json recipe_of(const Task& task, const Result& result) {
    Json buffers = Json::object();
    std::size_t index = 0;
    const auto add = [&](const std::string& buffer) {
        if (index < result.buffers.size())
            buffers[buffer] = fmt::format("{:#x}", result.buffers[index++]);
    };
    for (const Input& input : task.inputs)
        add(input.name);
    for (const Output& output : task.outputs)
        add(output.name);
    return {{"buffers", buffers},
            {"operation_count", result.recipe.operations.size()},
            {"operations", cudabench::to_json(result.recipe, operations_shown)}};
}

Json to_json(const measure::GpuState& state) {
    return {{"sm_hz", state.sm_hz},
            {"memory_hz", state.memory_hz},
            {"temperature", state.temperature},
            {"power_watts", state.power_watts},
            {"clocks_limited", state.clocks_limited}};
}

Json to_json(const Measurement& m) {
    return {{"seconds", m.seconds},
            {"low", m.low},
            {"high", m.high},
            {"repetitions", m.repetitions},
            {"spread", m.spread},
            {"empty_recipe_seconds", m.empty_recipe_seconds},
            {"sm_clock_hz", m.sm_clock_hz},
            {"steady", m.steady},
            {"host_gaps", m.host_gaps},
            {"gpu", m.gpu ? to_json(*m.gpu) : Json(nullptr)}};
}

/// Nominal peaks and sustained ceilings have the same names, but what only nominal peaks are known of.
template <typename Rates> Json to_rates(const Rates& rates) {
    return {
        {"bandwidth", rates.bandwidth}, {"fp32", rates.fp32}, {"fp64", rates.fp64}, {"tensor_tf32", rates.tensor_tf32}};
}

/// All that scores are computed with, so that they can be computed again from the result alone.
Json to_json(const roofline::Peaks& peaks) {
    Json json = to_rates(peaks);
    json.update({{"tensor_fp16", peaks.tensor_fp16}, {"sfu", peaks.sfu}, {"int32", peaks.int32}});
    return json;
}

Json device_of(const Result& result) {
    return {{"name", result.device_name},
            {"uuid", result.device_uuid},
            {"driver", result.driver_version},
            {"nominal", result.peaks ? to_json(*result.peaks) : Json(nullptr)},
            {"sustained", result.sustained ? to_rates(*result.sustained) : Json(nullptr)}};
}

Json to_json(const Work& work) {
    return {{"source", "model"},
            {"fp32", work.fp32},
            {"fp64", work.fp64},
            {"tensor", work.tensor},
            {"sfu", work.sfu},
            {"int32", work.int32},
            {"bytes", work.read_bytes + work.write_bytes}};
}

Json to_json(const cpu::Counts& counts) {
    Json json = {{"counted_on", "cpu"}};
    for (std::size_t i = 0; i < cpu::quantity_count; ++i)
        json[std::string(cpu::name(static_cast<cpu::Quantity>(i)))] = counts.values[i];
    return json;
}

Json to_json(const Costs& c) {
    return {{"context", c.context},     {"waiting", c.waiting},           {"recording", c.recording},
            {"inputs", c.inputs},       {"candidate", c.candidate},       {"timing", c.timing},
            {"reference", c.reference}, {"verification", c.verification}, {"total", c.total}};
}

/// What of the compile record belongs into a result.
Json compile_summary(const Json& record) {
    if (!record.is_object())
        return nullptr;
    return {{"seconds", record.value("seconds", 0.0)}, {"kernels", record.value("kernels", Json::array())}};
}

template <typename Value> Json or_null(const std::optional<Value>& value) {
    return value ? to_json(*value) : Json(nullptr);
}

} // namespace

std::string_view verdict(const Result& result) {
    if (!result.failure)
        return "pass";
    if (result.failure->stage == Stage::not_run)
        return "not_run";
    return result.failure->stage == Stage::fault ? "fault" : "fail";
}

std::string to_json(const Suite& suite, const Case& graded, const Result& result) {
    const Json record = Json::parse(result.compile_record, nullptr, false);
    Json json = {{"schema", 1},
                 {"case", graded.id},
                 {"task", suite.task.name},
                 {"domain", suite.task.domain},
                 {"scale", suite.task.scales.at(graded.scale).name}};
    json["candidate"] = {
        {"name", graded.candidate}, {"model", graded.model},
        {"level", graded.level},    {"sample", graded.sample},
        {"source", graded.source},  {"source_sha256", record.is_object() ? record.value("source_sha256", "") : ""}};
    json["task_hash"] = suite.task.hash;
    json["verdict"] = verdict(result);
    json["stage"] = result.failure ? Json(name(result.failure->stage)) : Json(nullptr);
    json["message"] = result.failure ? shortened(result.failure->message) : "";
    json["mismatches"] = or_null(result.mismatches);
    json["seed"] = fmt::format("{:#018x}", result.seed);
    json["confinement"] = result.confined ? "full" : "none";
    json["host_dependent"] = result.host_dependent;
    json["recipe"] = recipe_of(suite.task, result);
    json["device"] = device_of(result);
    json["compile"] = compile_summary(record);
    json["measurement"] = or_null(result.measurement);
    json["work"] = or_null(result.work);
    if (result.work && result.measurement)
        json["rates"] = {
            {"flops", (result.work->fp32 + result.work->tensor) / result.measurement->seconds},
            {"bytes_per_second", (result.work->read_bytes + result.work->write_bytes) / result.measurement->seconds}};
    else
        json["rates"] = nullptr;
    if (result.scores)
        json["scores"] = {{"performance", result.scores->performance},
                          {"speed_of_light", result.scores->speed_of_light},
                          {"attainable_seconds", result.scores->attainable_seconds}};
    else
        json["scores"] = nullptr;
    json["executed"] = or_null(result.executed);
    json["counters"] = "declared";
    json["marks"] = result.marks;
    json["printed"] = result.printed;
    json["seconds"] = to_json(result.seconds);
    // What a candidate printed need not be UTF-8.
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_atomically(const std::filesystem::path& path, const std::string& text) {
    const auto fail = [&](const char* what) {
        throw std::runtime_error(fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(errno)));
    };
    std::filesystem::create_directories(path.parent_path());
    const std::string temporary = fmt::format("{}.{}.part", path.string(), ::getpid());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        fail("create");
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t n = ::write(file, text.data() + written, text.size() - written);
        if (n < 0) {
            const int cause = errno;
            ::close(file);
            ::unlink(temporary.c_str());
            errno = cause;
            fail("write");
        }
        written += static_cast<std::size_t>(n);
    }
    if (::close(file) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
        fail("write");
}

} // namespace cudabench
