#include "recording_fixture.h"

#include <fstream>
#include <gmock/gmock.h>

namespace cudabench::recorder {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Escape : public RecordingTest {
protected:
    std::string escape(const std::string& function) { return failure_of("escapes", function); }
};

TEST_F(Escape, NothingOutsideTheLibrariesCanBeOpened) {
    const Recording recording = run("escapes", "open_files");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_THAT(recording.output, HasSubstr("/etc/passwd closed"));
    EXPECT_THAT(recording.output, Not(HasSubstr("OPENED")));
}

TEST_F(Escape, NothingBesideTheCandidateCanBeOpened) {
    // What would be a reference lies in the same folder.
    const auto folder = candidate("escapes").parent_path();
    std::ofstream(folder / "reference.txt") << "42";
    std::filesystem::copy_file(candidate("honest"), folder / "recorder_neighbour.so",
                               std::filesystem::copy_options::overwrite_existing);
    const Recording recording = run("escapes", "open_neighbour");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_THAT(recording.output, HasSubstr("recorder_escapes.so OPENED"));
    EXPECT_THAT(recording.output, HasSubstr("reference.txt closed"));
    EXPECT_THAT(recording.output, HasSubstr("library closed"));
}

TEST_F(Escape, NoFileCanBeOpenedToBeChanged) {
    // A copy: what lets host code change it would break the module of the other tests.
    const auto module = candidate("escapes").parent_path() / "recorder_changes_itself.so";
    std::filesystem::copy_file(candidate("escapes"), module, std::filesystem::copy_options::overwrite_existing);
    const auto size = std::filesystem::file_size(module);
    call.function = "opens_itself_to_change";
    const Recording recording = record(setup, module, call, answers);
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_THAT(recording.output, HasSubstr("refused"));
    EXPECT_THAT(recording.output, Not(HasSubstr("LET")));
    EXPECT_EQ(std::filesystem::file_size(module), size);
    EXPECT_EQ(escape("truncates_itself"), "forbidden system call: truncate");
}

TEST_F(Escape, LoadingTheDriverIsUselessAndVisible) {
    const Recording recording = run("escapes", "load_driver");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    const bool loaded = recording.output == "driver loaded\n";
    EXPECT_EQ(recording.notes, std::vector<std::string>(loaded ? 1 : 0, "host code loaded libcuda.so.1"));
}

TEST_F(Escape, SeesNothingOfItsParent) {
    const Recording recording = run("escapes", "looks_around");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(recording.output, "environment empty\ninput 0\n");
}

TEST_F(Escape, AReplacedHandlerDoesNotMakeTheCallHappen) {
    const Recording recording = run("escapes", "replaces_the_handler");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(recording.output, "no child\n");
}

TEST_F(Escape, TheTrapCannotBeIgnored) {
    EXPECT_THAT(escape("ignores_the_trap"), StartsWith("forbidden system call"));
    // The C library blocks all signals before it forks for these.
    EXPECT_THAT(escape("runs_a_program"), StartsWith("forbidden system call"));
}

TEST_F(Escape, CallsThatAreNewerThanTheFilterSeemNotToExist) {
    const Recording recording = run("escapes", "calls_what_is_newer_than_the_filter");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(recording.output, "-1 1\n");
}

#if defined(__x86_64__)
TEST_F(Escape, CallsOfA32BitProgramAreForbidden) {
    EXPECT_THAT(escape("calls_as_a_32_bit_program"), StartsWith("forbidden system call"));
}
#endif

struct Forbidden {
    const char* function;
    const char* system_call;

    friend std::ostream& operator<<(std::ostream& out, const Forbidden& self) { return out << self.function; }
};

class ForbiddenCall : public RecordingTest, public testing::WithParamInterface<Forbidden> {};

TEST_P(ForbiddenCall, EndsTheCaseByName) {
    EXPECT_EQ(failure_of("escapes", GetParam().function),
              std::string("forbidden system call: ") + GetParam().system_call);
}

constexpr Forbidden forbidden[] = {
    {"forks", "fork"},
    {"vforks", "vfork"},
    {"clones", "fork"},
    {"forks_in_a_thread", "fork"},
    {"executes", "execve"},
    {"connects", "socket"},
    {"pairs_sockets", "socketpair"},
    {"traces", "ptrace"},
    {"reads_its_parent", "process_vm_readv"},
    {"kills_its_parent", "kill"},
    {"kills_everybody", "kill"},
    {"filters_again", "seccomp"},
    {"becomes_dumpable", "prctl"},
    {"survives_its_parent", "prctl"},
    {"raises_its_limits", "prlimit64"},
    {"types_into_the_terminal", "ioctl"},
    {"steers_signals", "fcntl"},
    {"makes_a_file_in_memory", "memfd_create"},
    {"changes_a_mode", "chmod"},
    {"removes_a_file", "unlink"},
    {"uses_io_uring", "io_uring_setup"},
    {"unshares", "unshare"},
    {"opens_a_process", "pidfd_open"},
    {"calls_what_does_not_exist", "number 400"},
};

INSTANTIATE_TEST_SUITE_P(All, ForbiddenCall, testing::ValuesIn(forbidden),
                         [](const auto& each) { return std::string(each.param.function); });

} // namespace
} // namespace cudabench::recorder
