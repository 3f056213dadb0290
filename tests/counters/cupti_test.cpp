#include "counters/cupti.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cudabench::counters {
namespace {

// Loaded once a process: here by a child that starts anew.
TEST(CuptiDeathTest, IsTheLibraryThatIsNamed) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            ::setenv("CUDABENCH_CUPTI", "/nowhere/libcupti.so.13", 1);
            const auto loaded = load();
            const bool said = !loaded && loaded.error().stage == Stage::not_run &&
                              loaded.error().message.find("none of /nowhere/libcupti.so.13 can") != std::string::npos;
            std::exit(said ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace cudabench::counters
