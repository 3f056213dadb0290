#include "case/counting.h"

#include <nlohmann/json.hpp>

namespace cudabench {
namespace {

using Json = nlohmann::ordered_json;

Json counts_of(const CountedResult& result) {
    if (result.failure)
        return nullptr;
    Json counts = Json::object();
    for (const auto& [quantity, value] : result.counts.values)
        counts[std::string(counters::name(quantity))] = value;
    return counts;
}

Json lacking(const CountedResult& result) {
    Json names = Json::array();
    if (!result.failure)
        for (const counters::Quantity quantity : result.counts.lacking())
            names.push_back(counters::name(quantity));
    return names;
}

Json work_of(const CountedResult& result) {
    if (!result.work)
        return nullptr;
    return {{"source", "counters"},
            {"fp32", result.work->fp32},
            {"fp64", result.work->fp64},
            {"tensor", result.work->tensor},
            {"bytes", result.work->read_bytes + result.work->write_bytes}};
}

} // namespace

std::string to_json(const Suite& suite, const Case& counted, const CountedResult& result,
                    const std::string& source_sha256) {
    Json json = {{"schema", 1},
                 {"case", counted.id},
                 {"task_hash", suite.task.hash},
                 {"source_sha256", source_sha256},
                 {"counters", result.failure ? "declared" : "measured"},
                 {"reason", result.failure ? Json(result.failure->message) : Json(nullptr)}};
    json["device"] = {{"name", result.device_name},
                      {"uuid", result.device_uuid},
                      {"driver", result.driver_version},
                      {"chip", result.chip}};
    json["host_dependent"] = result.host_dependent;
    json["passes"] = result.passes;
    json["counts"] = counts_of(result);
    json["lacking"] = lacking(result);
    json["work"] = work_of(result);
    json["attainable_seconds"] = result.work ? Json(result.attainable_seconds) : Json(nullptr);
    json["seconds"] = result.seconds;
    return json.dump(1) + "\n";
}

} // namespace cudabench
