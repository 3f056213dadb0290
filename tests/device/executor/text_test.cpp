#include "executor_fixture.h"

#include <fmt/format.h>

namespace cudabench::gpu {
namespace {

using recipe::launch;

class DeviceTextTest : public ExecutorTest {};

TEST_F(DeviceTextTest, IsReturnedAndNeverReachesTheOutput) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto performed = perform({launch("print", 1, 17), launch("print", 1, 18)});
    fmt::print("own");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "own");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    ASSERT_TRUE(performed) << performed.error().message;
    EXPECT_EQ(*performed, "<CTestMeasurement>17</CTestMeasurement>\n<CTestMeasurement>18</CTestMeasurement>\n");
}

TEST_F(DeviceTextTest, IsCutWithoutComingOutLater) {
    testing::internal::CaptureStdout();
    const auto performed = perform({launch("print_much", 1)});
    fmt::print("own");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "own");
    ASSERT_TRUE(performed) << performed.error().message;
    EXPECT_EQ(performed->size(), DeviceText::shown);
    EXPECT_EQ(performed->substr(0, 1001), fmt::format("{:1000d}\n", 0));
}

} // namespace
} // namespace cudabench::gpu
