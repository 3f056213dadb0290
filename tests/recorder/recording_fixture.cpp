#include "recording_fixture.h"

#include <sys/wait.h>
#include <thread>

namespace cudabench::recorder {

namespace {

int count_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<int>(std::distance(begin(all), end(all)));
}

} // namespace

Expected<std::vector<std::byte>, Failure> CountingAnswers::copy_to_host(const recipe::Recipe& so_far,
                                                                        const recipe::CopyToHost& question) {
    ++copies;
    operations_before_last_copy = so_far.operations.size();
    std::this_thread::sleep_for(delay);
    if (failure)
        return *failure;
    return std::vector<std::byte>(question.region.row_bytes * question.region.rows, std::byte{7});
}

Expected<recipe::Address, Failure> CountingAnswers::symbol_address(const std::string&) {
    return recipe::Address{0x220000000000};
}

RecordingTest::RecordingTest() : open_descriptors_(count_descriptors()) {
    setup.recorder = CUDABENCH_TEST_RECORDER;
    setup.workspace = {workspace_base, 1 << 30, std::uint64_t{1} << 40, 2 << 20};
    setup.free_bytes = 1 << 30;
    setup.limits.host_time = std::chrono::seconds(60);
    call.buffers = {{buffer, 1 << 20, true}};
    call.dims = {1000, 2000};
    call.params = {5};
}

RecordingTest::~RecordingTest() {
    EXPECT_EQ(count_descriptors(), open_descriptors_);
    EXPECT_FALSE(has_child());
}

std::filesystem::path RecordingTest::candidate(const std::string& name) {
    return std::filesystem::path(CUDABENCH_TEST_CANDIDATES) / ("recorder_" + name + ".so");
}

Recording RecordingTest::run(const std::string& candidate_name, const std::string& function) {
    call.function = function;
    Recording recording = record(setup, candidate(candidate_name), call, answers);
    EXPECT_TRUE(recording.confined);
    return recording;
}

std::string RecordingTest::failure_of(const std::string& candidate_name, const std::string& function) {
    const Recording recording = run(candidate_name, function);
    if (!recording.failure)
        return "";
    EXPECT_EQ(recording.failure->stage, Stage::contract);
    return recording.failure->message;
}

bool has_child() {
    siginfo_t info{};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace cudabench::recorder
