#include "recorder/unsafe.h"
#include "recording_fixture.h"

#include <cstddef>
#include <fstream>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace cudabench::recorder {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// As on a system without this system call. Also for every process that is started from now on.
void withhold(long call) {
    sock_filter program[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                             {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(call)},
                             {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                             {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    const sock_fprog filter{4, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

class Refusal : public RecordingTest {
protected:
    Recording record_without(long call_withheld, bool unsafe) {
        withhold(call_withheld);
        setup.unsafe = unsafe;
        call.function = "fill_and_copy";
        return record(setup, candidate("honest"), call, answers);
    }

    /// In a process of its own, for what is withheld stays so.
    template <typename Check> void check_without(long call_withheld, bool unsafe, Check check) {
        const pid_t child = fork();
        if (child == 0) {
            check(record_without(call_withheld, unsafe));
            _exit(HasFailure() ? 1 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
};

TEST_F(Refusal, WithoutLandlockNothingOfTheCandidateRuns) {
    check_without(SYS_landlock_create_ruleset, false, [](const Recording& recording) {
        ASSERT_TRUE(recording.failure);
        EXPECT_EQ(recording.failure->stage, Stage::not_run);
        EXPECT_THAT(recording.failure->message, HasSubstr("Landlock"));
        EXPECT_THAT(recording.failure->message, HasSubstr("--unsafe (CUDABENCH_UNSAFE=1) overrides"));
        EXPECT_TRUE(recording.recipe.operations.empty());
        EXPECT_FALSE(recording.confined);
    });
}

TEST_F(Refusal, WithoutSeccompNothingOfTheCandidateRuns) {
    check_without(SYS_seccomp, false, [](const Recording& recording) {
        ASSERT_TRUE(recording.failure);
        EXPECT_EQ(recording.failure->stage, Stage::not_run);
        EXPECT_THAT(recording.failure->message, HasSubstr("seccomp"));
        EXPECT_TRUE(recording.recipe.operations.empty());
    });
}

TEST_F(Refusal, UnsafeRecordsAndSaysSo) {
    check_without(SYS_landlock_create_ruleset, true, [](const Recording& recording) {
        EXPECT_FALSE(recording.failure) << recording.failure->message;
        EXPECT_EQ(recording.recipe.operations.size(), 4U);
        EXPECT_FALSE(recording.confined);
    });
}

TEST_F(Refusal, UnsafeConfinesWhereItCan) {
    setup.unsafe = true;
    EXPECT_EQ(failure_of("escapes", "forks"), "forbidden system call: fork");
}

TEST(Unsafe, IsAskedForByOneValueOnly) {
    unsetenv("CUDABENCH_UNSAFE");
    EXPECT_FALSE(unsafe_requested());
    for (const char* other : {"", "0", "no", "11", "true"}) {
        setenv("CUDABENCH_UNSAFE", other, 1);
        EXPECT_FALSE(unsafe_requested()) << other;
    }
    setenv("CUDABENCH_UNSAFE", "1", 1);
    EXPECT_TRUE(unsafe_requested());
    unsetenv("CUDABENCH_UNSAFE");
}

TEST_F(Refusal, AMissingRecorderIsTheGradersFault) {
    setup.recorder = "/no/such/recorder";
    const Recording recording = record(setup, candidate("honest"), call, answers);
    ASSERT_TRUE(recording.failure);
    EXPECT_EQ(recording.failure->stage, Stage::fault);
    EXPECT_EQ(recording.failure->message, "cannot start the recorder /no/such/recorder: No such file or directory");
}

TEST_F(Refusal, AProgramThatIsNoRecorderIsTheGradersFault) {
    setup.recorder = "/bin/echo";
    const Recording recording = record(setup, candidate("honest"), call, answers);
    ASSERT_TRUE(recording.failure);
    EXPECT_EQ(recording.failure->stage, Stage::fault);
    EXPECT_THAT(recording.failure->message, StartsWith("the recorder could not begin (exit code 0): "));
    EXPECT_THAT(recording.failure->message, HasSubstr("recorder_honest.so safe"));
}

TEST_F(Refusal, AMissingModuleIsTheGradersFault) {
    const Recording recording = record(setup, candidate("missing"), call, answers);
    ASSERT_TRUE(recording.failure);
    EXPECT_EQ(recording.failure->stage, Stage::fault);
    EXPECT_THAT(recording.failure->message, HasSubstr("recorder_missing.so"));
}

} // namespace
} // namespace cudabench::recorder
