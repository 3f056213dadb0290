#pragma once

#include "case/counting.h"
#include "case/run_state.h"

#include <gtest/gtest.h>
#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <utility>

namespace cudabench {

/// Counts what the recipe of one passed case executes, for its Performance-Score: `--counters`, or
/// CUDABENCH_COUNTERS=1. All selected cases of one candidate share a process, since setting up the counters takes
/// longer than counting; a device fault ends that, and the rest get one each. Different candidates never share one.
class CountedCase : public testing::Test {
public:
    CountedCase(RunState& state, const Case& counted) : state_(state), counted_(counted) {}

    static void TearDownTestSuite() { counters().reset(); }

private:
    void TestBody() override;
    /// Why the case is not to be counted; empty if it is.
    [[nodiscard]] static std::string reason_against(const nlohmann::json& result, const std::string& source_sha256);
    void count_in_process(const nlohmann::json& result, const std::string& source_sha256);
    void count_elsewhere(const std::string& filter);
    void report(const nlohmann::json& counted, const nlohmann::json& result);
    void skip(const std::string& why);

    /// The GPU of this process and its counters, made when the first case needs them.
    struct Counters {
        explicit Counters(std::unique_ptr<gpu::Executor> own) : executor(std::move(own)), counting(*executor) {}

        std::unique_ptr<gpu::Executor> executor;
        Counting counting;
    };
    static std::unique_ptr<Counters>& counters();

    RunState& state_;
    const Case& counted_;
};

} // namespace cudabench
