#pragma once

#include "case/counting.h"
#include "case/run_state.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace cudabench {

/// Counts what the recipe of one case executes, in this process, and writes its counters file: `--count-here`, which a
/// CountedCase starts for the passed cases of one candidate. After a device fault the rest write nothing.
class CountingCase : public testing::Test {
public:
    CountingCase(RunState& state, const Case& counted) : state_(state), counted_(counted) {}

    static void TearDownTestSuite() { counters().reset(); }

private:
    void TestBody() override;
    void count();
    void fail(const std::string& why);

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
