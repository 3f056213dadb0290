#include "case/case.h"
#include "case/result.h"
#include "device/described.h"
#include "roofline/peaks.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace cudabench {
namespace {

/// As docs/results.md says how: from the JSON alone.
double attainable_seconds(const nlohmann::json& result) {
    const auto& work = result.at("work");
    const auto& peaks = result.at("device").at("nominal");
    double longest = work.at("bytes").get<double>() / peaks.at("bandwidth").get<double>();
    for (const char* pipe : {"fp32", "fp64", "sfu", "int32"})
        longest = std::max(longest, work.at(pipe).get<double>() / peaks.at(pipe).get<double>());
    return std::max(longest, work.at("tensor").get<double>() / peaks.at("tensor_tf32").get<double>());
}

TEST(ResultJson, HoldsWhatItsScoresAreComputedFrom) {
    Suite suite;
    suite.task.scales.emplace_back();
    Result result;
    result.peaks = roofline::nominal_peaks(device::h200()).value();
    const auto attainable = [&](const Work& work) {
        result.work = work;
        return attainable_seconds(nlohmann::json::parse(to_json(suite, Case{}, result)));
    };
    // An H200: 132 multiprocessors at 1.98 GHz, with 16 special functions and 64 integer operations a cycle each.
    EXPECT_DOUBLE_EQ(attainable({.sfu = 132 * 16 * 1.98e9, .read_bytes = 4}), 1);
    EXPECT_DOUBLE_EQ(attainable({.fp32 = 4, .int32 = 132 * 64 * 1.98e9}), 1);
    EXPECT_DOUBLE_EQ(attainable({.fp32 = 132 * 256 * 1.98e9, .sfu = 4}), 1);
    EXPECT_DOUBLE_EQ(attainable({.tensor = 132 * 2048 * 1.98e9, .sfu = 4}), 1);
}

} // namespace
} // namespace cudabench
