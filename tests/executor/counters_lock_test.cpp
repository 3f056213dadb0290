#include "executor/gpu/counters_lock.h"
#include "executor/gpu/gpu_lock.h"
#include "holder.h"
#include "lock_file_fixture.h"

#include <memory>

namespace cudabench::gpu {
namespace {

class CountersLockTest : public LockFileTest {
protected:
    auto counting() const {
        return [this] { return std::make_unique<CountersLock>(uuid_); };
    }
};

TEST_F(CountersLockTest, LetsOneProcessCountAtATime) {
    Holder first(counting());
    ASSERT_TRUE(first.holds_within(soon));
    Holder second(counting());
    EXPECT_FALSE(second.holds_within(a_while));
    first.end();
    EXPECT_TRUE(second.holds_within(soon));
}

TEST_F(CountersLockTest, IsFreeAgainWhenItsHolderIsKilled) {
    Holder first(counting());
    ASSERT_TRUE(first.holds_within(soon));
    Holder second(counting());
    first.kill();
    EXPECT_TRUE(second.holds_within(soon));
}

/// Who counts needs the GPU again and again, which others use meanwhile, and who waits to count keeps it from nobody.
TEST_F(CountersLockTest, LeavesTheGpuToAll) {
    Holder first(counting());
    ASSERT_TRUE(first.holds_within(soon));
    Holder second(counting());
    EXPECT_FALSE(second.holds_within(a_while));
    GpuLock lock(uuid_);
    { const GpuLock::Exclusive alone(lock); }
    Holder sharer([this] {
        GpuLock own(uuid_);
        { const GpuLock::Shared share(own); }
        return 0;
    });
    EXPECT_TRUE(sharer.holds_within(soon));
}

TEST_F(CountersLockTest, IsOneForEachGpu) {
    Holder first(counting());
    ASSERT_TRUE(first.holds_within(soon));
    const std::string other = uuid_ + "-other";
    Holder second([&] { return std::make_unique<CountersLock>(other); });
    EXPECT_TRUE(second.holds_within(soon));
    std::remove((std::string(P_tmpdir) + "/cudabench-" + other + ".lock").c_str());
}

} // namespace
} // namespace cudabench::gpu
