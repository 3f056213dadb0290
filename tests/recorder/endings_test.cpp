#include "recording_fixture.h"

#include <csignal>
#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>

namespace cudabench::recorder {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

class Ending : public RecordingTest {
protected:
    std::string ending(const std::string& function) { return failure_of("endings", function); }
};

TEST_F(Ending, CrashNamesSignalAndAddress) {
    EXPECT_EQ(ending("null_pointer"), "host code crashed: SIGSEGV at address 0x10");
}

TEST_F(Ending, CrashAtAnImpossibleAddressNamesTheSignal) {
    EXPECT_EQ(ending("wild_pointer"), "host code crashed: SIGSEGV");
}

TEST_F(Ending, CrashKeepsWhatWasSaidBefore) {
    // What the runtime had not sent yet is lost with the process.
    EXPECT_LE(run("endings", "null_pointer").recipe.operations.size(), 1U);
}

TEST_F(Ending, DivisionByZero) {
    call.dims = {1, 0};
    EXPECT_EQ(ending("division_by_zero"), "host code crashed: SIGFPE");
}

TEST_F(Ending, Abort) {
    EXPECT_EQ(ending("aborted"), "host code crashed: SIGABRT");
}

TEST_F(Ending, CrashInAThread) {
    EXPECT_EQ(ending("crash_in_a_thread"), "host code crashed: SIGSEGV at address 0x10");
}

TEST_F(Ending, DeepRecursionIsToldFromACrash) {
    EXPECT_EQ(ending("deep_recursion"), "host code overflowed its stack of 8 MiB");
}

TEST_F(Ending, AnArrayLargerThanTheStackIsToldFromACrash) {
    EXPECT_EQ(ending("large_array"), "host code overflowed its stack of 8 MiB");
}

TEST_F(Ending, ExitNamesItsCode) {
    call.dims = {3};
    EXPECT_EQ(ending("exits"), "host code called exit(3) before it returned");
    EXPECT_EQ(ending("exits_at_once"), "host code called exit(3) before it returned");
    call.dims = {0};
    EXPECT_EQ(ending("exits_at_once"), "host code called exit(0) before it returned");
}

TEST_F(Ending, LeavingTheThreadIsAnExit) {
    EXPECT_EQ(ending("leaves_its_thread"), "host code called exit(0) before it returned");
}

TEST_F(Ending, GoingOnWithoutTheMainThreadIsNoticed) {
    EXPECT_EQ(ending("goes_on_without_its_main_thread"), "host code ended its main thread before it returned");
}

TEST_F(Ending, KilledByItself) {
    EXPECT_EQ(ending("kills_itself"), "host code crashed: SIGKILL");
}

TEST_F(Ending, EndlessLoopEndsAtTheLimit) {
    setup.limits.host_time = std::chrono::milliseconds(500);
    const Recording recording = run("endings", "endless_loop");
    EXPECT_EQ(recording.failure->message, "host code ran longer than its limit of 0.5 s");
    EXPECT_LT(recording.seconds, 5);
}

TEST_F(Ending, BlockingEverySignalDoesNotHelp) {
    setup.limits.host_time = std::chrono::milliseconds(500);
    EXPECT_EQ(ending("endless_sleep"), "host code ran longer than its limit of 0.5 s");
}

TEST_F(Ending, OutputCannotSteerATerminal) {
    const Recording recording = run("endings", "colourful_output");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    EXPECT_EQ(recording.output, "?[2J???ta\tb \xc3\xa9\n?");
}

TEST_F(Ending, OutputWithoutEnd) {
    const Recording recording = run("endings", "endless_output");
    EXPECT_EQ(recording.failure->message, "host code printed more than its limit of 1048576 bytes");
    EXPECT_EQ(recording.output.size(), setup.limits.output_bytes);
    EXPECT_THAT(recording.output, StartsWith("all work and no play\nall"));
}

TEST_F(Ending, NoticesWithoutEndEndAtTheLimitOfTime) {
    setup.limits.host_time = std::chrono::milliseconds(500);
    EXPECT_EQ(ending("endless_notices"), "host code ran longer than its limit of 0.5 s");
}

TEST_F(Ending, AllocationWithoutEnd) {
    setup.limits.host_memory_bytes = 256 << 20;
    EXPECT_EQ(ending("endless_allocation"), "host code used more memory than its limit of 256 MiB");
}

TEST_F(Ending, ReservationWithoutEnd) {
    EXPECT_EQ(ending("endless_reservation"), "host code ran out of memory: its address space is limited to 16384 MiB");
    EXPECT_EQ(ending("unchecked_allocation"), "host code ran out of memory: its address space is limited to 16384 MiB");
}

TEST_F(Ending, AllocationOfTooMuch) {
    EXPECT_EQ(ending("allocation_of_too_much"), "host code could not allocate memory: std::bad_alloc");
}

TEST_F(Ending, UncaughtExceptionSaysWhat) {
    EXPECT_EQ(ending("throws"), "host code threw an uncaught exception: no such tile");
    EXPECT_EQ(ending("throws_in_a_thread"), "host code threw an uncaught exception: from a thread");
    EXPECT_EQ(ending("throws_a_number"), "host code threw an uncaught exception of type int");
}

TEST_F(Ending, ThreadsWithoutEnd) {
    EXPECT_EQ(ending("endless_threads"), "host code started more than 1024 threads");
}

TEST_F(Ending, TheRecorderEndsWithItsParent) {
    // A parent of its own is killed at different moments; what it leaves behind becomes a child of this process.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const auto moment : {0ms, 1ms, 2ms, 4ms, 200ms}) {
        const pid_t parent = fork();
        if (parent == 0) {
            call.function = "endless_loop";
            (void)record(setup, candidate("endings"), call, answers);
            _exit(0);
        }
        std::this_thread::sleep_for(moment);
        kill(parent, SIGKILL);
        waitpid(parent, nullptr, 0);
        pid_t orphan = 0;
        for (int tries = 0; tries < 1000 && orphan == 0; ++tries) {
            std::this_thread::sleep_for(10ms);
            orphan = waitpid(-1, nullptr, WNOHANG);
        }
        EXPECT_NE(orphan, 0) << "the recorder survived its parent, which ended after " << moment.count() << " ms";
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_F(Ending, RecordersThatAreStartedAtOnceEndWithTheirParent) {
    // While some start, they have copies of what the others talk to their parent by.
    call.function = "fill_and_copy";
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (auto moment = 0us; moment < 40ms; moment += 800us) {
        const pid_t parent = fork();
        if (parent == 0) {
            std::vector<std::thread> threads(16);
            for (std::thread& thread : threads)
                thread = std::thread([this] { (void)record(setup, candidate("honest"), call, answers); });
            for (std::thread& thread : threads)
                thread.join();
            pause();
        }
        std::this_thread::sleep_for(moment);
        kill(parent, SIGKILL);
        waitpid(parent, nullptr, 0);
        pid_t orphan = 0;
        for (int tries = 0; tries < 1000 && orphan >= 0; ++tries) {
            std::this_thread::sleep_for(orphan == 0 ? 10ms : 0ms);
            orphan = waitpid(-1, nullptr, WNOHANG);
        }
        ASSERT_LT(orphan, 0) << "a recorder survived its parent, which ended after " << moment.count() << " us";
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_F(Ending, ThreadsMustEndBeforeTheReturn) {
    EXPECT_EQ(ending("leaves_a_thread"), "host code returned while 1 of its threads still ran");
}

TEST_F(Ending, AModuleThatCannotBeLoadedSaysWhy) {
    EXPECT_THAT(failure_of("unresolved"),
                AllOf(StartsWith("cannot load the candidate: "), HasSubstr("cublas_like_function")));
    EXPECT_EQ(failure_of("honest", "no_such_function"),
              "cannot load the candidate: it has no function no_such_function");
}

TEST_F(Ending, ConstructorsRunUnderTheSameRules) {
    EXPECT_EQ(failure_of("constructor"), "host code called exit(0) before it returned");
    EXPECT_EQ(failure_of("forking_constructor"), "forbidden system call: fork");
}

TEST_F(Ending, DestructorsNeverRun) {
    const Recording recording = run("destructor");
    EXPECT_FALSE(recording.failure) << recording.failure->message;
    ASSERT_EQ(recording.recipe.operations.size(), 1U);
    EXPECT_EQ(std::get<recipe::Fill>(recording.recipe.operations[0]).value, 3);
}

} // namespace
} // namespace cudabench::recorder
