#pragma once

#include "case/case.h"
#include "case/run_state.h"

#include <gtest/gtest.h>
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench {

/// Has counted what the recipe of one passed case executes, for its Performance-Score: `--counters`, or
/// CUDABENCH_COUNTERS=1. All selected cases of one candidate are counted by one other process (CountingCase), since
/// setting up the counters takes longer than counting; a device fault ends that, and the rest get one each. This
/// process never has a GPU, so that none of them waits for what it holds.
class CountedCase : public testing::Test {
public:
    CountedCase(RunState& state, const Case& counted) : state_(state), counted_(counted) {}

private:
    void TestBody() override;
    /// Why the case is not to be counted; empty if it is.
    [[nodiscard]] std::string reason_against(const Case& one, const nlohmann::json& result) const;
    /// The selected cases of this candidate that are to be counted, as a GoogleTest filter.
    [[nodiscard]] std::string filter_of_candidate() const;
    int count(const std::string& filter);
    void report(const nlohmann::json& counted, const nlohmann::json& result);
    void skip(const std::string& why);

    RunState& state_;
    const Case& counted_;
};

} // namespace cudabench
