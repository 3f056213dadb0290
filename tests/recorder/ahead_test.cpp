#include "recorder/ahead.h"
#include "recording_fixture.h"

#include <filesystem>
#include <pthread.h>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace cudabench::recorder {
namespace {

class Ahead : public RecordingTest {
protected:
    std::optional<Recording> ahead(const std::string& name, const std::string& function = "cudabench_call") {
        call.function = function;
        return record_ahead(setup, candidate(name), call).get();
    }
};

TEST_F(Ahead, RecordsWhatAsksNothing) {
    const auto recording = ahead("honest", "fill_and_copy");
    ASSERT_TRUE(recording);
    EXPECT_FALSE(recording->failure);
    EXPECT_EQ(recording->recipe.operations, run("honest", "fill_and_copy").recipe.operations);
    EXPECT_EQ(recording->output, "filled\n");
}

TEST_F(Ahead, LeavesToItsTurnWhatAsks) {
    EXPECT_FALSE(ahead("honest", "copy_down"));
}

TEST_F(Ahead, LeavesToItsTurnWhatFails) {
    EXPECT_FALSE(ahead("honest", "unsupported"));
    EXPECT_FALSE(ahead("absent"));
}

TEST_F(Ahead, LeavesToItsTurnWhatTakesMuch) {
    call.dims = {17}; // copies of 1 MiB
    EXPECT_FALSE(ahead("honest", "copy_often"));
    EXPECT_FALSE(run("honest", "copy_often").failure);
    call.dims = {3};
    EXPECT_TRUE(ahead("honest", "copy_often"));
}

/// Threads that begin while this lives fail to, for lack of memory.
class NoThreads {
public:
    NoThreads() {
        pthread_attr_init(&attributes_);
        pthread_getattr_default_np(&attributes_);
        pthread_attr_getstacksize(&attributes_, &bytes_);
        set(std::size_t{1} << 47);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;
    ~NoThreads() {
        set(bytes_);
        pthread_attr_destroy(&attributes_);
    }

private:
    void set(std::size_t bytes) {
        pthread_attr_setstacksize(&attributes_, bytes);
        pthread_setattr_default_np(&attributes_);
    }

    pthread_attr_t attributes_{};
    std::size_t bytes_ = 0;
};

TEST_F(Ahead, DoesWithoutThreads) {
    const NoThreads none;
    ASSERT_THROW(std::thread([] {}), std::system_error);
    EXPECT_TRUE(ahead("honest", "fill_and_copy"));
    EXPECT_FALSE(ahead("honest", "copy_down"));
}

TEST_F(Ahead, FindsACallAsOftenAsItIsWanted) {
    RecordingsAhead recordings;
    call.function = "fill_and_copy";
    recordings.begin(setup, candidate("honest"), call);
    recordings.wait();
    EXPECT_FALSE(has_child());
    for (int turn = 0; turn < 2; ++turn) {
        const auto found = recordings.find(candidate("honest"), call);
        ASSERT_TRUE(found);
        EXPECT_EQ(std::get<recipe::Allocate>(found->recipe.operations.at(0)).bytes, 1000U);
    }
}

TEST_F(Ahead, FindsNothingThatDiffersInAnything) {
    RecordingsAhead recordings;
    call.function = "fill_and_copy";
    recordings.begin(setup, candidate("honest"), call);
    EXPECT_FALSE(recordings.find(candidate("liars"), call));
    recipe::Call other = call;
    other.function = "copy_down";
    EXPECT_FALSE(recordings.find(candidate("honest"), other));
    other = call;
    other.dims[0] = 1001;
    EXPECT_FALSE(recordings.find(candidate("honest"), other));
    other = call;
    other.params[0] = 6;
    EXPECT_FALSE(recordings.find(candidate("honest"), other));
    other = call;
    other.buffers[0].address += 16;
    EXPECT_FALSE(recordings.find(candidate("honest"), other));
}

class AheadOfACopy : public Ahead {
protected:
    AheadOfACopy() {
        call.function = "fill_and_copy";
        std::filesystem::copy_file(candidate("honest"), module, std::filesystem::copy_options::overwrite_existing);
        recordings.begin(setup, module, call);
        recordings.wait();
    }
    ~AheadOfACopy() override { std::filesystem::remove(module); }

    const std::filesystem::path module =
        std::filesystem::path(testing::TempDir()) / ("ahead_" + std::to_string(::getpid()) + ".so");
    RecordingsAhead recordings;
};

TEST_F(AheadOfACopy, BeginsACallOnce) {
    const auto before = std::filesystem::last_write_time(module);
    std::filesystem::resize_file(module, 0); // could not be recorded any more
    std::filesystem::last_write_time(module, before);
    recordings.begin(setup, module, call);
    EXPECT_TRUE(recordings.find(module, call));
}

TEST_F(AheadOfACopy, DoesNotTakeAModuleThatWasBuiltAnewForTheSame) {
    ASSERT_TRUE(recordings.find(module, call));
    std::filesystem::last_write_time(module, std::filesystem::last_write_time(module) + std::chrono::seconds(1));
    EXPECT_FALSE(recordings.find(module, call));
    recordings.begin(setup, module, call);
    EXPECT_TRUE(recordings.find(module, call));
    std::filesystem::remove(module);
    EXPECT_FALSE(recordings.find(module, call));
}

} // namespace
} // namespace cudabench::recorder
