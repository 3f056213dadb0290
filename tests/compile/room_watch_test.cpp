#include "compile/room_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace cudabench::compile {
namespace {

TEST(RoomWatch, RemembersALackThatHasPassed) {
    std::atomic<int> looks = 0;
    RoomWatch watch([&looks] { return ++looks == 3 ? std::string("full") : std::string(); });
    while (looks < 3)
        std::this_thread::yield();
    EXPECT_EQ(watch.stop(), "full");
    EXPECT_EQ(looks, 3) << "what was found first is told";
}

TEST(RoomWatch, LooksBeforeAndAfter) {
    int looks = 0;
    RoomWatch before([&looks] { return std::string(++looks == 1 ? "full" : ""); });
    EXPECT_EQ(before.stop(), "full");
    std::atomic<bool> ended = false;
    RoomWatch after([&ended] { return std::string(ended ? "full" : ""); });
    ended = true;
    EXPECT_EQ(after.stop(), "full");
}

TEST(RoomWatch, FindsNothingWhereThereIsRoom) {
    RoomWatch watch([] { return std::string(); });
    EXPECT_EQ(watch.stop(), "");
    const RoomWatch unasked([] { return std::string(); });
}

} // namespace
} // namespace cudabench::compile
