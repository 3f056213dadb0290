#include "executor/gpu/memory_share.h"
#include "holder.h"
#include "lock_file_fixture.h"
#include "shared_memory.h"

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <random>
#include <thread>

namespace cudabench::gpu {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t capacity = 16 * gib;

class MemoryShareTest : public LockFileTest {
protected:
    auto taking(std::uint64_t bytes) const {
        return [this, bytes] { return std::make_unique<MemoryShare>(uuid_, bytes, capacity); };
    }
};

TEST_F(MemoryShareTest, AsManyFitAsTheMemoryHolds) {
    Holder first(taking(6 * gib));
    Holder second(taking(10 * gib));
    EXPECT_TRUE(first.holds_within(soon));
    EXPECT_TRUE(second.holds_within(soon));
    Holder third(taking(1));
    EXPECT_FALSE(third.holds_within(a_while));
    first.end();
    EXPECT_TRUE(third.holds_within(soon));
}

TEST_F(MemoryShareTest, WhoNeedsMoreThanThereIsGetsAll) {
    const MemoryShare all(uuid_, 100 * gib, capacity);
    EXPECT_EQ(all.bytes(), capacity);
    Holder other(taking(1));
    EXPECT_FALSE(other.holds_within(a_while));
}

TEST_F(MemoryShareTest, NothingTakesNothing) {
    const MemoryShare all(uuid_, capacity, capacity);
    Holder none(taking(0));
    EXPECT_TRUE(none.holds_within(soon));
}

TEST_F(MemoryShareTest, IsWhatLiesFreeInPieces) {
    std::list<Holder> quarters;
    for (int i = 0; i < 4; ++i) {
        quarters.emplace_back(taking(4 * gib));
        ASSERT_TRUE(quarters.back().holds_within(soon));
    }
    quarters.front().end();
    std::next(quarters.begin(), 2)->end();
    Holder half(taking(8 * gib));
    EXPECT_TRUE(half.holds_within(soon));
}

TEST_F(MemoryShareTest, IsFreeAgainWhenItsHolderIsKilled) {
    Holder victim(taking(capacity));
    ASSERT_TRUE(victim.holds_within(soon));
    Holder next(taking(8 * gib));
    EXPECT_FALSE(next.holds_within(a_while));
    victim.kill();
    EXPECT_TRUE(next.holds_within(soon));
}

TEST_F(MemoryShareTest, IsFreeAgainWhenOneThatGathersItIsKilled) {
    Holder most(taking(12 * gib));
    ASSERT_TRUE(most.holds_within(soon));
    Holder gathering(taking(8 * gib)); // has 4 GiB and waits for more
    EXPECT_FALSE(gathering.holds_within(a_while));
    gathering.kill();
    Holder small(taking(4 * gib));
    EXPECT_TRUE(small.holds_within(soon));
}

/// A large case would never run if small ones that come later could take what it waits for.
TEST_F(MemoryShareTest, WhoAsksFirstGetsItFirst) {
    Holder most(taking(12 * gib));
    ASSERT_TRUE(most.holds_within(soon));
    Holder large(taking(8 * gib));
    EXPECT_FALSE(large.holds_within(a_while));
    Holder small(taking(gib));
    EXPECT_FALSE(small.holds_within(a_while));
    most.end();
    EXPECT_TRUE(large.holds_within(soon));
    EXPECT_TRUE(small.holds_within(soon));
}

TEST_F(MemoryShareTest, TakesBackNothingWhenItFindsABetterPlace) {
    // What it gathered behind is let go of when enough becomes free before.
    Holder before(taking(8 * gib));
    ASSERT_TRUE(before.holds_within(soon));
    Holder behind(taking(4 * gib));
    ASSERT_TRUE(behind.holds_within(soon));
    Holder gathering(taking(6 * gib)); // has the last 4 GiB and waits for 2
    EXPECT_FALSE(gathering.holds_within(a_while));
    before.end();
    ASSERT_TRUE(gathering.holds_within(soon));
    Holder rest(taking(6 * gib)); // 16 - 4 - 6
    EXPECT_TRUE(rest.holds_within(soon));
}

TEST_F(MemoryShareTest, SharesNeverExceedTheMemory) {
    struct Taken {
        std::atomic<std::uint64_t> bytes{0};
        std::atomic<int> wrong{0};
        std::atomic<int> times{0};
    };
    const SharedMemory<Taken> taken;
    std::list<Holder> processes;
    for (unsigned i = 1; i <= 8; ++i)
        processes.emplace_back([&, i] {
            std::minstd_rand random(i);
            const auto end = std::chrono::steady_clock::now() + 700ms;
            while (std::chrono::steady_clock::now() < end || taken->times <= 50) {
                const MemoryShare share(uuid_, random() % (10 * 1024) * (gib / 1024), capacity);
                taken->wrong += (taken->bytes += share.bytes()) > capacity;
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
                taken->bytes -= share.bytes();
                ++taken->times;
            }
            return 0;
        });
    for (Holder& process : processes)
        EXPECT_TRUE(process.holds_within(soon));
    EXPECT_EQ(taken->wrong, 0);
}

} // namespace
} // namespace cudabench::gpu
