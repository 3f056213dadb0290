#pragma once

#include "case/run_state.h"

#include <gtest/gtest.h>
#include <nlohmann/json_fwd.hpp>

namespace cudabench {

/// Grades one case: in this process if it is the only one selected, else in one of its own.
class GradedCase : public testing::Test {
public:
    GradedCase(RunState& state, const Case& graded) : state_(state), graded_(graded) {}

private:
    void TestBody() override;
    void report(const nlohmann::json& result);

    RunState& state_;
    const Case& graded_;
};

} // namespace cudabench
