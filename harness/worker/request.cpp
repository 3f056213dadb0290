#include "worker/request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace cudabench::worker {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const char* field, const char* why) {
    throw std::runtime_error(fmt::format("{}: {}", field, why));
}

std::string text(const Json& json, const char* field) {
    if (!json.contains(field) || !json[field].is_string() || json[field].get_ref<const std::string&>().empty())
        refuse(field, "must be a text");
    return json[field].get<std::string>();
}

std::optional<double> seconds(const Json& json, const char* field) {
    if (!json.contains(field) || json[field].is_null())
        return std::nullopt;
    constexpr double a_day = 86400;
    const double value = json[field].is_number() ? json[field].get<double>() : 0;
    if (!(value > 0 && value <= a_day))
        refuse(field, "must be a number of seconds above 0 and at most 86400");
    return value;
}

std::optional<std::uint64_t> seed(const Json& json) {
    if (!json.contains("seed") || json["seed"].is_null())
        return std::nullopt;
    const std::string digits = text(json, "seed");
    std::uint64_t value = 0;
    const char* const first = digits.data() + (digits.starts_with("0x") ? 2 : 0);
    const auto [end, error] = std::from_chars(first, digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || end != digits.data() + digits.size())
        refuse("seed", "must be 64 bits, hexadecimal after 0x");
    return value;
}

bool flag(const Json& json, const char* field, bool value) {
    if (!json.contains(field))
        return value;
    if (!json[field].is_boolean())
        refuse(field, "must be true or false");
    return json[field].get<bool>();
}

Stage stage(const Json& json) {
    const std::string wanted = text(json, "stop_after");
    for (const Stage one : {Stage::compile, Stage::launch, Stage::edge, Stage::values, Stage::plausible})
        if (wanted == name(one))
            return one;
    refuse("stop_after", "must be compile, launch, edge, values or plausible");
}

/// Which there are.
void read_trials(const Json& json, GradeOptions& options) {
    options.stop_after = stage(json);
    options.edges = flag(json, "edges", true);
}

} // namespace

Request read_request(const Json& json) {
    if (!json.is_object())
        throw std::runtime_error("a request is a JSON object in one line");
    Request request;
    request.task = text(json, "task");
    request.scale = text(json, "scale");
    request.prepare = flag(json, "prepare", false);
    if (request.prepare) {
        read_trials(json, request.options);
        return request;
    }
    request.graded.id = text(json, "id");
    request.graded.candidate = request.graded.id;
    request.graded.source = text(json, "source");
    request.graded.module = text(json, "module");
    request.graded.compile_record = text(json, "compile_record");
    request.options.seed = seed(json);
    request.count = flag(json, "count", false);
    if (request.count) {
        if (!request.options.seed)
            refuse("seed", "must be that of the grading that is counted");
        request.source_sha256 = text(json, "source_sha256");
    } else {
        read_trials(json, request.options);
        request.options.last = flag(json, "last", false);
    }
    if (const auto host = seconds(json, "host_seconds"))
        request.options.limits.host_time = std::chrono::milliseconds(std::llround(*host * 1000));
    if (const auto device = seconds(json, "device_seconds"))
        request.options.device_limit = gpu::Seconds(*device);
    return request;
}

} // namespace cudabench::worker
