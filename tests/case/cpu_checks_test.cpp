#include "case/cpu_grading.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cudabench {
namespace {

/// CUDABENCH_CPU_CHECKS while it lives.
class Checks {
public:
    explicit Checks(const char* value) { ::setenv("CUDABENCH_CPU_CHECKS", value, 1); }
    ~Checks() { ::unsetenv("CUDABENCH_CPU_CHECKS"); }
    Checks(const Checks&) = delete;
    Checks& operator=(const Checks&) = delete;

    [[nodiscard]] static Expected<std::optional<cpu::Findings>, Failure> at(const char* scale) {
        Shape shape;
        shape.name = scale;
        return checks_on_cpu(shape);
    }
};

TEST(CpuChecks, AreMadeAtScaleTinyUnlessSomethingIsSaid) {
    ::unsetenv("CUDABENCH_CPU_CHECKS");
    const auto tiny = Checks::at("tiny");
    ASSERT_TRUE(tiny && *tiny);
    EXPECT_TRUE((**tiny).races);
    EXPECT_TRUE((**tiny).uninitialised);
    const auto small = Checks::at("small");
    ASSERT_TRUE(small);
    EXPECT_FALSE(*small);
}

TEST(CpuChecks, AreChosenByTheEnvironment) {
    {
        const Checks all("all");
        EXPECT_TRUE(*Checks::at("small"));
    }
    {
        const Checks none("none");
        EXPECT_FALSE(*Checks::at("tiny"));
    }
    const Checks some("races");
    const auto found = Checks::at("medium");
    ASSERT_TRUE(found && *found);
    EXPECT_TRUE((**found).races);
    EXPECT_FALSE((**found).uninitialised);
}

TEST(CpuChecks, AnUnknownWordIsRefused) {
    const Checks checks("races,speed");
    const auto refused = Checks::at("tiny");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().stage, Stage::fault);
    EXPECT_NE(refused.error().message.find("races,speed"), std::string::npos);
}

} // namespace
} // namespace cudabench
