#include "driver/lost.h"
#include "executor/gpu/gpu_lock.h"
#include "holder.h"
#include "lock_file_fixture.h"
#include "shared_memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace cudabench::gpu {
namespace {

using namespace std::chrono_literals;

template <typename Kind> struct Held {
    explicit Held(const std::string& uuid) : lock(uuid), kind(lock) {}

    GpuLock lock;
    Kind kind;
};

class GpuLockTest : public LockFileTest {
protected:
    auto shared() const {
        return [this] { return std::make_unique<Held<GpuLock::Shared>>(uuid_); };
    }
    auto exclusive() const {
        return [this] { return std::make_unique<Held<GpuLock::Exclusive>>(uuid_); };
    }
};

TEST_F(GpuLockTest, HoldsNothingByItself) {
    const GpuLock idle(uuid_);
    Holder other(exclusive());
    EXPECT_TRUE(other.holds_within(soon));
}

TEST_F(GpuLockTest, IsSharedByMany) {
    Holder first(shared());
    Holder second(shared());
    EXPECT_TRUE(first.holds_within(soon));
    EXPECT_TRUE(second.holds_within(soon));
}

TEST_F(GpuLockTest, ExclusiveKeepsOthersOutUntilItEnds) {
    Holder alone(exclusive());
    ASSERT_TRUE(alone.holds_within(soon));
    Holder sharer(shared());
    EXPECT_FALSE(sharer.holds_within(a_while));
    alone.end();
    EXPECT_TRUE(sharer.holds_within(soon));
}

TEST_F(GpuLockTest, ExclusiveWaitsForSharers) {
    Holder sharer(shared());
    ASSERT_TRUE(sharer.holds_within(soon));
    Holder alone(exclusive());
    EXPECT_FALSE(alone.holds_within(a_while));
    sharer.end();
    EXPECT_TRUE(alone.holds_within(soon));
}

TEST_F(GpuLockTest, IsFreeAgainWhenItsHolderIsKilled) {
    for (int kind = 0; kind < 2; ++kind) {
        auto victim = kind == 0 ? std::make_unique<Holder>(shared()) : std::make_unique<Holder>(exclusive());
        ASSERT_TRUE(victim->holds_within(soon));
        Holder next(exclusive());
        EXPECT_FALSE(next.holds_within(a_while));
        victim->kill();
        EXPECT_TRUE(next.holds_within(soon));
    }
}

TEST_F(GpuLockTest, IsFreeAgainWhenOneThatWaitsIsKilled) {
    Holder sharer(shared());
    ASSERT_TRUE(sharer.holds_within(soon));
    Holder waiting(exclusive());
    EXPECT_FALSE(waiting.holds_within(a_while));
    waiting.kill();
    Holder another(shared());
    EXPECT_TRUE(another.holds_within(soon));
}

TEST_F(GpuLockTest, LaterSharersWaitBehindOneThatWantsItAlone) {
    Holder sharer(shared());
    ASSERT_TRUE(sharer.holds_within(soon));
    Holder alone(exclusive());
    EXPECT_FALSE(alone.holds_within(a_while));
    Holder later(shared());
    EXPECT_FALSE(later.holds_within(a_while));
    sharer.end();
    EXPECT_TRUE(alone.holds_within(soon));
    EXPECT_FALSE(later.holds_within(a_while));
    alone.end();
    EXPECT_TRUE(later.holds_within(soon));
}

/// Both share it first, as cases do that come to their timing at the same time.
TEST_F(GpuLockTest, TwoThatWantItAloneTakeTurns) {
    const auto timed = [this] {
        GpuLock lock(uuid_);
        const GpuLock::Shared share(lock);
        std::this_thread::sleep_for(50ms);
        const GpuLock::Exclusive alone(lock);
        return 0;
    };
    Holder first(timed);
    Holder second(timed);
    EXPECT_TRUE(first.holds_within(soon));
    EXPECT_TRUE(second.holds_within(soon));
}

TEST_F(GpuLockTest, IsHeldUntilTheOutermostUseEnds) {
    GpuLock lock(uuid_);
    auto outer = std::make_unique<GpuLock::Shared>(lock);
    {
        const GpuLock::Shared inner(lock);
        EXPECT_FALSE(lock.held_once());
    }
    EXPECT_TRUE(lock.held_once());
    Holder alone(exclusive());
    EXPECT_FALSE(alone.holds_within(a_while));
    outer.reset();
    EXPECT_TRUE(alone.holds_within(soon));
}

TEST_F(GpuLockTest, IsSharedAgainAfterExclusiveUseWithinSharedUse) {
    GpuLock lock(uuid_);
    const GpuLock::Shared outer(lock);
    { const GpuLock::Exclusive alone(lock); }
    Holder sharer(shared());
    EXPECT_TRUE(sharer.holds_within(soon));
    Holder alone(exclusive());
    EXPECT_FALSE(alone.holds_within(a_while));
}

TEST_F(GpuLockTest, IsKeptToItsEndByAProcessThatLostItsContext) {
    Holder lost([this] {
        auto lock = std::make_unique<GpuLock>(uuid_);
        {
            const GpuLock::Shared share(*lock);
            driver::set_lost();
        }
        return lock;
    });
    ASSERT_TRUE(lost.holds_within(soon));
    Holder alone(exclusive());
    EXPECT_FALSE(alone.holds_within(a_while));
    lost.end();
    EXPECT_TRUE(alone.holds_within(soon));
}

/// As one does that takes apart what it had on the GPU. The other stands in the turnstile and waits for its end.
TEST_F(GpuLockTest, IsNotWaitedForByAProcessThatLostItsContext) {
    const SharedMemory<std::atomic<bool>> is_lost;
    const SharedMemory<std::atomic<bool>> other_waits;
    Holder lost([&] {
        auto lock = std::make_unique<GpuLock>(uuid_);
        {
            const GpuLock::Exclusive alone(*lock);
            driver::set_lost();
            *is_lost = true;
            while (!*other_waits)
                std::this_thread::sleep_for(1ms);
        }
        { const GpuLock::Shared share(*lock); }
        { const GpuLock::Exclusive alone(*lock); }
        return lock;
    });
    // Which of two processes starts first is not told otherwise.
    while (!*is_lost)
        std::this_thread::sleep_for(1ms);
    Holder other(shared());
    EXPECT_FALSE(other.holds_within(a_while));
    *other_waits = true;
    EXPECT_TRUE(lost.holds_within(soon));
    lost.end();
    EXPECT_TRUE(other.holds_within(soon));
}

TEST_F(GpuLockTest, TellsHowLongItWaited) {
    Holder alone(exclusive());
    ASSERT_TRUE(alone.holds_within(soon));
    std::thread end([&] {
        std::this_thread::sleep_for(500ms);
        alone.end();
    });
    GpuLock lock(uuid_);
    { const GpuLock::Shared share(lock); }
    end.join();
    EXPECT_GE(lock.waited(), 0.1); // the rest is for a start as late as a busy machine makes it
    EXPECT_LT(lock.waited(), 10);
}

/// Many processes that leave no gap between them: who wants it alone comes after those that hold it already, and not
/// after the others.
TEST_F(GpuLockTest, NoneStarves) {
    const SharedMemory<std::atomic<int>> uses;
    std::list<Holder> sharers;
    for (int i = 0; i < 6; ++i)
        sharers.emplace_back([&] {
            GpuLock lock(uuid_);
            for (;;) { // ended by a signal
                const GpuLock::Shared share(lock);
                ++*uses;
                std::this_thread::sleep_for(10ms);
            }
            return 0;
        });
    while (*uses < 30)
        std::this_thread::sleep_for(1ms);
    std::vector<int> meanwhile(21);
    for (int& others : meanwhile) {
        GpuLock lock(uuid_);
        const int before = *uses;
        const GpuLock::Exclusive alone(lock);
        others = *uses - before;
    }
    for (Holder& sharer : sharers)
        sharer.kill();
    // Six hold it, six more may stand in the turnstile before. The median, since a busy machine may let this process
    // wait before it asks.
    std::nth_element(meanwhile.begin(), meanwhile.begin() + 10, meanwhile.end());
    EXPECT_LE(meanwhile[10], 2 * 6);
}

TEST_F(GpuLockTest, ExcludesWhateverComesTogether) {
    struct Inside {
        std::atomic<int> sharers{0};
        std::atomic<int> alone{0};
        std::atomic<int> wrong{0};
        std::atomic<int> uses{0};
    };
    const SharedMemory<Inside> inside;
    const auto work = [&](unsigned seed) {
        std::minstd_rand random(seed);
        GpuLock lock(uuid_);
        const auto end = std::chrono::steady_clock::now() + 700ms;
        while (std::chrono::steady_clock::now() < end || inside->uses <= 100) {
            if (random() % 3 == 0) {
                const GpuLock::Exclusive alone(lock);
                inside->wrong += ++inside->alone != 1 || inside->sharers != 0;
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
                --inside->alone;
            } else {
                const GpuLock::Shared share(lock);
                ++inside->sharers;
                inside->wrong += inside->alone != 0;
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
                --inside->sharers;
            }
            ++inside->uses;
        }
        return 0;
    };
    std::list<Holder> processes;
    for (unsigned i = 1; i <= 8; ++i)
        processes.emplace_back([&, i] { return work(i); });
    for (Holder& process : processes)
        EXPECT_TRUE(process.holds_within(soon));
    EXPECT_EQ(inside->wrong, 0);
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
