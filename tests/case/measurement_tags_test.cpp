#include "case/measurement_tags.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace cudabench {
namespace {

const nlohmann::json passed = {{"measurement", {{"seconds", 1.25e-5}, {"repetitions", 11}}},
                               {"scores", {{"performance", 0.5}, {"speed_of_light", 0.25}}},
                               {"rates", nullptr},
                               {"seconds", {{"total", 0.5}}}};

TEST(MeasurementTags, AreThoseNumbersThatThereAre) {
    ::setenv("CTEST_INTERACTIVE_DEBUG_MODE", "1", 1);
    EXPECT_EQ(measurement_tags(passed),
              "<CTestMeasurement type=\"numeric/double\" name=\"seconds\">1.25e-05</CTestMeasurement>\n"
              "<CTestMeasurement type=\"numeric/double\" name=\"performance_score\">0.5</CTestMeasurement>\n"
              "<CTestMeasurement type=\"numeric/double\" name=\"speed_of_light_score\">0.25</CTestMeasurement>\n"
              "<CTestMeasurement type=\"numeric/double\" name=\"grading_seconds\">0.5</CTestMeasurement>\n");
    const nlohmann::json failed = {{"measurement", nullptr}, {"scores", nullptr}, {"seconds", {{"total", "nan"}}}};
    EXPECT_EQ(measurement_tags(failed), "");
}

TEST(MeasurementTags, AreForCtestAlone) {
    ::unsetenv("CTEST_INTERACTIVE_DEBUG_MODE");
    EXPECT_EQ(measurement_tags(passed), "");
}

} // namespace
} // namespace cudabench
