#include "executor/gpu/gpu_lock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace cudabench::gpu {
namespace {

using namespace std::chrono_literals;

constexpr auto soon = 10s;      ///< must have happened by then
constexpr auto a_while = 100ms; ///< must not have happened by then

class GpuLockTest : public testing::Test {
protected:
    ~GpuLockTest() override { std::remove(path_.c_str()); }

    const std::string uuid_ = "test-" + std::to_string(::getpid());
    const std::string path_ = std::string(P_tmpdir) + "/cudabench-" + uuid_ + ".lock";
};

TEST_F(GpuLockTest, IsSharedByMany) {
    const GpuLock first(uuid_);
    auto second = std::async(std::launch::async, [&] { GpuLock lock(uuid_); });
    EXPECT_EQ(second.wait_for(soon), std::future_status::ready);
}

TEST_F(GpuLockTest, ExclusiveKeepsOthersOutUntilItEnds) {
    GpuLock first(uuid_);
    auto exclusive = std::make_unique<GpuLock::Exclusive>(first);
    auto second = std::async(std::launch::async, [&] { GpuLock lock(uuid_); });
    EXPECT_EQ(second.wait_for(a_while), std::future_status::timeout);
    exclusive.reset();
    EXPECT_EQ(second.wait_for(soon), std::future_status::ready);
}

TEST_F(GpuLockTest, ExclusiveWaitsForSharers) {
    GpuLock first(uuid_);
    auto sharer = std::make_unique<GpuLock>(uuid_);
    auto exclusive = std::async(std::launch::async, [&] { GpuLock::Exclusive alone(first); });
    EXPECT_EQ(exclusive.wait_for(a_while), std::future_status::timeout);
    sharer.reset();
    EXPECT_EQ(exclusive.wait_for(soon), std::future_status::ready);
}

TEST_F(GpuLockTest, ReleasedLetsOthersHaveItAlone) {
    GpuLock idle(uuid_);
    auto released = std::make_unique<GpuLock::Released>(idle);
    GpuLock other(uuid_);
    auto exclusive = std::make_unique<GpuLock::Exclusive>(other);
    auto back = std::async(std::launch::async, [&] { released.reset(); });
    EXPECT_EQ(back.wait_for(a_while), std::future_status::timeout);
    exclusive.reset();
    EXPECT_EQ(back.wait_for(soon), std::future_status::ready);
}

/// Both hold it shared first, as cases do that come to their timing at the same time.
TEST_F(GpuLockTest, TwoThatWantItExclusivelyTakeTurns) {
    const auto timed = [](std::unique_ptr<GpuLock> lock) { GpuLock::Exclusive alone(*lock); };
    auto first = std::make_unique<GpuLock>(uuid_);
    auto second = std::make_unique<GpuLock>(uuid_);
    auto one = std::async(std::launch::async, timed, std::move(first));
    auto other = std::async(std::launch::async, timed, std::move(second));
    EXPECT_EQ(one.wait_for(soon), std::future_status::ready);
    EXPECT_EQ(other.wait_for(soon), std::future_status::ready);
}

TEST_F(GpuLockTest, EveryUserMayLockIt) {
    const mode_t before = ::umask(077);
    const GpuLock lock(uuid_);
    ::umask(before);
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0666u);
}

} // namespace
} // namespace cudabench::gpu
