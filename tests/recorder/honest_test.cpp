#include "recording_fixture.h"

#include <fstream>

namespace cudabench::recorder {
namespace {

using Honest = RecordingTest;

TEST_F(Honest, RecordsWhatHostCodeAsksFor) {
    const Recording recording = run("honest", "fill_and_copy");
    ASSERT_FALSE(recording.failure) << recording.failure->message;
    ASSERT_EQ(recording.recipe.operations.size(), 4U);
    EXPECT_EQ(std::get<recipe::Allocate>(recording.recipe.operations[0]).bytes, 1000U);
    const auto& fill = std::get<recipe::Fill>(recording.recipe.operations[1]);
    EXPECT_EQ(std::get<recipe::Address>(fill.destination), buffer);
    EXPECT_EQ(fill.region.row_bytes * fill.region.rows, 2000U);
    EXPECT_EQ(fill.value, 5);
    const auto& copy = std::get<recipe::CopyToDevice>(recording.recipe.operations[2]);
    EXPECT_EQ(copy.data.size(), 6U);
    EXPECT_EQ(copy.data[0], std::byte{'s'});
    EXPECT_TRUE(std::holds_alternative<recipe::Synchronize>(recording.recipe.operations[3]));
    EXPECT_EQ(recording.output, "filled\n");
    EXPECT_TRUE(recording.notes.empty());
    EXPECT_FALSE(recording.recipe.host_dependent());
}

TEST_F(Honest, AnswersQuestionsAfterTheOperationsBeforeThem) {
    const Recording recording = run("honest", "copy_down");
    ASSERT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(answers.copies, 1);
    EXPECT_EQ(answers.operations_before_last_copy, 1U);
    ASSERT_EQ(recording.recipe.operations.size(), 3U);
    EXPECT_TRUE(std::holds_alternative<recipe::CopyToHost>(recording.recipe.operations[1]));
    EXPECT_EQ(std::get<recipe::Fill>(recording.recipe.operations[2]).value, 14);
}

TEST_F(Honest, TimeOfAnswersIsNotChargedToTheHost) {
    setup.limits.host_time = std::chrono::milliseconds(1000);
    answers.delay = std::chrono::milliseconds(400);
    call.dims = {4};
    const Recording recording = run("honest", "ask_often");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_GT(recording.seconds, 1.6);
    EXPECT_LT(recording.host_seconds, 1.0);
}

TEST_F(Honest, AFailedAnswerIsTheFailure) {
    answers.failure = Failure{Stage::launch, "illegal memory access"};
    const Recording recording = run("honest", "copy_down");
    ASSERT_TRUE(recording.failure);
    EXPECT_EQ(recording.failure->stage, Stage::launch);
    EXPECT_EQ(recording.failure->message, "illegal memory access");
    EXPECT_EQ(recording.recipe.operations.size(), 1U);
}

TEST_F(Honest, NamesAnUnsupportedCall) {
    EXPECT_EQ(failure_of("honest", "unsupported"), "unsupported_api: cudaIpcGetMemHandle");
}

TEST_F(Honest, ThreadsThatWereJoinedAreFine) {
    call.dims = {200};
    EXPECT_EQ(failure_of("honest", "many_joined_threads"), "");
}

TEST_F(Honest, ExceptionsThatWereCaughtAreFine) {
    EXPECT_EQ(failure_of("honest", "caught_exception"), "");
}

TEST_F(Honest, ALongRecipeEndsAtTheLimitOfOperations) {
    setup.limits.recipe.operations = 500;
    call.dims = {500};
    EXPECT_EQ(failure_of("honest", "fill_often"), "");
    call.dims = {100'000};
    EXPECT_EQ(failure_of("honest", "fill_often"), "recipe too long: more than 500 operations");
}

TEST_F(Honest, ALongRecipeEndsAtTheLimitOfBytes) {
    setup.limits.recipe.bytes = 10 << 20;
    call.dims = {9};
    EXPECT_EQ(failure_of("honest", "copy_often"), "");
    call.dims = {100'000};
    EXPECT_EQ(failure_of("honest", "copy_often"), "recipe too long: more than 10485760 bytes");
}

TEST_F(Honest, WorksWhereTheBuildTreeHasMoved) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "cudabench_moved";
    std::filesystem::create_directories(folder);
    const auto keep = std::filesystem::copy_options::overwrite_existing;
    const auto moved = [&](const char* file) { return folder / std::filesystem::path(file).filename(); };
    const auto relative =
        std::filesystem::relative(CUDABENCH_TEST_RUNTIME, std::filesystem::path(CUDABENCH_TEST_RECORDER).parent_path());
    const auto recorder_folder = folder / "a" / "b";
    std::filesystem::create_directories(recorder_folder);
    setup.recorder = recorder_folder / "cudabench_recorder";
    std::filesystem::copy_file(CUDABENCH_TEST_RECORDER, setup.recorder, keep);
    const auto runtime = std::filesystem::weakly_canonical(recorder_folder / relative);
    std::filesystem::create_directories(runtime.parent_path());
    std::filesystem::copy_file(CUDABENCH_TEST_RUNTIME, runtime, keep);
    std::filesystem::copy_file(candidate("honest"), moved("honest.so"), keep);
    call.function = "fill_and_copy";
    const Recording recording = record(setup, moved("honest.so"), call, answers);
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(recording.recipe.operations.size(), 4U);
    std::filesystem::remove_all(folder);
}

TEST_F(Honest, OrdinaryRecordingIsQuick) {
    std::vector<double> seconds(21);
    for (double& each : seconds)
        each = run("honest", "fill_and_copy").seconds;
    std::sort(seconds.begin(), seconds.end());
    std::printf("an ordinary recording: median %.2f ms, fastest %.2f ms\n", seconds[10] * 1e3, seconds[0] * 1e3);
    RecordProperty("median_ms", std::to_string(seconds[10] * 1e3));
    EXPECT_LT(seconds[0], 0.05);
}

} // namespace
} // namespace cudabench::recorder
