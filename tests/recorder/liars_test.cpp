#include "recording_fixture.h"

#include <gmock/gmock.h>

namespace cudabench::recorder {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Liar : public RecordingTest {
protected:
    std::string lie(const std::string& function) { return failure_of("liars", function); }
};

TEST_F(Liar, RubbishIsABrokenMessage) {
    for (std::int64_t seed = 0; seed < 50; ++seed) {
        call.dims = {seed};
        EXPECT_THAT(lie("rubbish"), HasSubstr("broken message")) << "seed " << seed;
    }
}

TEST_F(Liar, RubbishInFramesIsABrokenRecipe) {
    for (std::int64_t seed = 0; seed < 50; ++seed) {
        call.dims = {seed};
        EXPECT_THAT(lie("rubbish_operations"), StartsWith("the recorder sent a broken ")) << "seed " << seed;
    }
}

TEST_F(Liar, OnlyTheExecutorSaysHello) {
    EXPECT_EQ(lie("impostor"), "the recorder sent a broken message: one that only the executor may send");
}

TEST_F(Liar, AHugeFrameIsNotWaitedFor) {
    EXPECT_EQ(lie("huge_frame"), "the recorder sent a broken message: frame too long");
}

TEST_F(Liar, ACutFrameIsAnEarlyExit) {
    EXPECT_EQ(lie("cut_frame"), "host code called exit(0) before it returned");
}

TEST_F(Liar, WhoAsksAndNeverListensWaitsForItself) {
    setup.limits.host_time = std::chrono::milliseconds(1000);
    EXPECT_EQ(lie("asks_and_never_listens"), "host code ran longer than its limit of 1 s");
    EXPECT_EQ(answers.copies, 1);
}

TEST_F(Liar, AQuestionForMoreThanFitsIsNotAsked) {
    EXPECT_EQ(lie("asks_for_everything"), "the recorder sent a broken message: it asks for too many bytes at once");
    EXPECT_EQ(answers.copies, 0);
}

TEST_F(Liar, NotesWithoutEnd) {
    EXPECT_EQ(lie("notes_without_end"), "the recorder sent more than 1000 notes");
}

TEST_F(Liar, AClosedSocketIsNoticed) {
    EXPECT_EQ(lie("closes_the_socket"), "host code closed the recorder's socket");
}

TEST_F(Liar, AForgedEndGainsNothing) {
    const Recording recording = run("liars", "forges_the_end");
    EXPECT_FALSE(recording.failure);
    EXPECT_TRUE(recording.recipe.operations.empty());
}

TEST_F(Liar, AForgedReportStaysTheCandidatesFailure) {
    EXPECT_EQ(lie("forges_a_failure"), "?[31mnot me");
}

TEST_F(Liar, TextOfTheCandidateIsPrintable) {
    EXPECT_EQ(lie("forges_an_unsupported_call"), "unsupported_api: a??b");
}

TEST_F(Liar, OutputIsKeptApart) {
    const Recording recording = run("liars", "prints_a_report");
    EXPECT_FALSE(recording.failure);
    EXPECT_TRUE(recording.notes.empty());
    EXPECT_THAT(recording.output, StartsWith("<DartMeasurement"));
}

TEST_F(Liar, HandlersOfTheEndNeverRun) {
    const Recording recording = run("liars", "acts_at_exit");
    EXPECT_FALSE(recording.failure);
    EXPECT_TRUE(recording.recipe.operations.empty());
}

TEST_F(Liar, AThreadThatGoesOnIsAFailure) {
    // Whichever is noticed first.
    setup.limits.recipe.operations = 1'000'000'000;
    EXPECT_THAT(lie("goes_on_in_a_thread"), StartsWith("host code returned while 1 of its threads still ran"));
}

} // namespace
} // namespace cudabench::recorder
