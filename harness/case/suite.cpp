#include "case/case.h"
#include "case/counted_case.h"
#include "case/counting_case.h"
#include "case/graded_case.h"
#include "case/run_state.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace cudabench {
namespace {

int exit_code(int googletest_code, const RunState& state) {
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    if (testing::GTEST_FLAG(list_tests))
        return exit_passed;
    if (all.test_to_run_count() == 0) {
        fmt::print(stderr, "no case matches --gtest_filter={}; --gtest_list_tests shows them all\n",
                   testing::GTEST_FLAG(filter));
        return exit_nothing_selected;
    }
    if (state.fault_seen)
        return exit_fault;
    if (googletest_code != 0)
        return exit_failed;
    return state.not_run_seen ? exit_not_run : exit_passed;
}

/// Takes the option out of the arguments.
bool take_option(int& argc, char** argv, std::string_view option) {
    char** const end = std::remove_if(argv + 1, argv + argc, [&](const char* word) { return word == option; });
    const bool given = end != argv + argc;
    argc = static_cast<int>(end - argv);
    return given;
}

/// Counting set for all programs of a CTest run.
bool counters_by_environment() {
    const char* set = std::getenv("CUDABENCH_COUNTERS");
    return set != nullptr && std::string_view(set) == "1";
}

template <typename Fixture> void register_cases([[maybe_unused]] RunState& state) {
#ifndef __clang_analyzer__ // which takes what GoogleTest owns for a leak
    for (const Case& one : state.suite.cases)
        testing::RegisterTest(state.suite.task.name.c_str(), one.id.c_str(), nullptr, one.candidate.c_str(), __FILE__,
                              __LINE__, [&state, &one] { return new Fixture(state, one); });
#endif
}

} // namespace

int run_suite(int argc, char** argv, const Suite& suite) {
    testing::InitGoogleTest(&argc, argv);
    const bool count_here = take_option(argc, argv, "--count-here");
    const bool counters = take_option(argc, argv, "--counters") || counters_by_environment();
    if (argc > 1) {
        fmt::print(stderr,
                   "{}: unknown argument {}; --help lists GoogleTest's, and --counters counts what passed cases "
                   "execute\n",
                   argv[0], argv[1]);
        return exit_nothing_selected;
    }
    RunState state{suite, SuitePaths(suite)};
    if (count_here)
        register_cases<CountingCase>(state);
    else if (counters)
        register_cases<CountedCase>(state);
    else
        register_cases<GradedCase>(state);
    const int code = exit_code(RUN_ALL_TESTS(), state);
    // A lost CUDA context would hang in its destructors.
    std::fflush(nullptr);
    ::_exit(code);
}

} // namespace cudabench
