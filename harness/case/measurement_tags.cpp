#include "case/measurement_tags.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <tuple>

namespace cudabench {
namespace {

using Json = nlohmann::json;

/// Set by CTest for the tests that it runs.
bool run_by_ctest() {
    return std::getenv("CTEST_INTERACTIVE_DEBUG_MODE") != nullptr;
}

const Json* find(const Json& result, const char* part, const char* name) {
    if (!result.contains(part) || !result.at(part).is_object() || !result.at(part).contains(name))
        return nullptr;
    const Json& value = result.at(part).at(name);
    return value.is_number() ? &value : nullptr;
}

} // namespace

std::string measurement_tags(const Json& result) {
    std::string tags;
    if (!run_by_ctest())
        return tags;
    for (const auto& [part, name, shown] : {std::tuple{"measurement", "seconds", "seconds"},
                                            {"scores", "performance", "performance_score"},
                                            {"scores", "speed_of_light", "speed_of_light_score"},
                                            {"rates", "flops", "flop_per_second"},
                                            {"rates", "bytes_per_second", "bytes_per_second"},
                                            {"seconds", "total", "grading_seconds"}})
        if (const Json* value = find(result, part, name))
            tags += fmt::format("<CTestMeasurement type=\"numeric/double\" name=\"{}\">{:.6g}</CTestMeasurement>\n",
                                shown, value->get<double>());
    return tags;
}

} // namespace cudabench
