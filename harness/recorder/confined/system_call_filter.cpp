#include "recorder/confined/system_call_filter.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace cudabench::recorder {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
#error "the recorder can confine host code on x86_64 and aarch64 only"
#endif

/// A seccomp program: rules in the order of the calls, and a trap for whatever none of them names. Arguments are
/// compared by their lower halves, which is all that the kernel reads of those compared here.
class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        skip_unless_equal(machine, 1);
        add(BPF_JMP | BPF_JA, 1);
        give(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }

    void allow(std::initializer_list<long> calls) {
        for (const long call : calls) {
            skip_unless_equal(call, 1);
            give(SECCOMP_RET_ALLOW);
        }
    }

    void answer(long call, std::uint32_t error) {
        skip_unless_equal(call, 1);
        give(SECCOMP_RET_ERRNO | error);
    }

    void answer_from(long first_call, std::uint32_t error) {
        program_.push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, static_cast<std::uint32_t>(first_call)});
        give(SECCOMP_RET_ERRNO | error);
    }

    /// Only with one of `values` as the argument.
    void allow_with(long call, std::size_t argument, const std::vector<std::uint32_t>& values) {
        skip_unless_equal(call, static_cast<std::uint8_t>(2 * values.size() + 2));
        load(lower_half(argument));
        for (const std::uint32_t value : values) {
            skip_unless_equal(value, 1);
            give(SECCOMP_RET_ALLOW);
        }
        give(SECCOMP_RET_TRAP);
    }

    /// Only with all of `bits` set in the argument.
    void allow_with_bits(long call, std::size_t argument, std::uint32_t bits) {
        skip_unless_equal(call, 5);
        load(lower_half(argument));
        add(BPF_ALU | BPF_AND | BPF_K, bits);
        skip_unless_equal(bits, 1);
        give(SECCOMP_RET_ALLOW);
        give(SECCOMP_RET_TRAP);
    }

    /// Only with none of `bits` set in the argument; an error otherwise.
    void allow_without_bits(long call, std::size_t argument, std::uint32_t bits, std::uint32_t error) {
        skip_unless_equal(call, 4);
        load(lower_half(argument));
        program_.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits});
        give(SECCOMP_RET_ERRNO | error);
        give(SECCOMP_RET_ALLOW);
    }

    /// Only with a null pointer as the argument.
    void allow_with_null(long call, std::size_t argument) {
        skip_unless_equal(call, 6);
        load(lower_half(argument));
        skip_unless_equal(0, 3);
        load(lower_half(argument) + sizeof(std::uint32_t));
        skip_unless_equal(0, 1);
        give(SECCOMP_RET_ALLOW);
        give(SECCOMP_RET_TRAP);
    }

    [[nodiscard]] bool install() {
        give(SECCOMP_RET_TRAP);
        const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    }

private:
    static std::uint32_t lower_half(std::size_t argument) {
        return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    }

    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void give(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
    void add(int code, std::uint32_t operand) { program_.push_back({static_cast<std::uint16_t>(code), 0, 0, operand}); }
    void skip_unless_equal(long value, std::uint8_t instructions) {
        program_.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, instructions, static_cast<std::uint32_t>(value)});
    }

    std::vector<sock_filter> program_;
};

void allow_memory(Filter& filter) {
    filter.allow({SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier});
}

void allow_threads(Filter& filter) {
    filter.allow({SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
                  SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_get_priority_min, SYS_sched_get_priority_max,
                  SYS_getcpu, SYS_exit, SYS_exit_group, SYS_gettid, SYS_getpid, SYS_getppid});
    // A filter cannot look into clone3's structure; the C library then falls back to clone.
    filter.answer(SYS_clone3, ENOSYS);
    filter.allow_with_bits(SYS_clone, 0, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND);
}

void allow_signals_to_itself(Filter& filter) {
    filter.allow({SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall});
    const auto self = static_cast<std::uint32_t>(getpid());
    filter.allow_with(SYS_tgkill, 0, {self});
    filter.allow_with(SYS_kill, 0, {self});
}

void allow_time(Filter& filter) {
    filter.allow({SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_times,
                  SYS_getrusage});
}

/// What opens a file to change it. Landlock could not refuse truncation before its third version, which needs no right
/// to write: open(O_RDONLY | O_TRUNC).
constexpr std::uint32_t opens_to_change = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

/// Landlock says which files can be opened.
void allow_reading(Filter& filter) {
    filter.allow({SYS_read,      SYS_readv,      SYS_pread64,    SYS_write,    SYS_writev,     SYS_lseek,
                  SYS_close,     SYS_fstat,      SYS_newfstatat, SYS_statx,    SYS_fstatfs,    SYS_statfs,
                  SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd,   SYS_getdents64, SYS_dup,
                  SYS_dup3,      SYS_ppoll,      SYS_pselect6,   SYS_fadvise64});
    filter.allow_without_bits(SYS_openat, 2, opens_to_change, EACCES);
    filter.answer(SYS_openat2, ENOSYS);
    filter.allow_with(SYS_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL});
    filter.allow_with(SYS_ioctl, 1, {TCGETS, FIONREAD});
}

void allow_questions_about_itself(Filter& filter) {
    filter.allow({SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid});
    filter.allow_with(SYS_prctl, 0,
                      {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_SET_VMA});
    filter.allow_with_null(SYS_prlimit64, 2);
}

/// Calls that newer machines no longer have.
void allow_legacy([[maybe_unused]] Filter& filter) {
#if defined(__x86_64__)
    filter.allow_without_bits(SYS_open, 1, opens_to_change, EACCES);
    filter.allow({SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_select, SYS_time,
                  SYS_getrlimit, SYS_arch_prctl, SYS_pause});
#endif
}

/// To calls that are newer than this list the kernel seems older: a newer C library, which tries them, falls back.
void deny_newer(Filter& filter) {
    constexpr long first_unknown = 449;
    filter.answer_from(first_unknown, ENOSYS);
}

} // namespace

std::optional<std::string> filter_system_calls() {
    Filter filter;
    allow_memory(filter);
    allow_threads(filter);
    allow_signals_to_itself(filter);
    allow_time(filter);
    allow_reading(filter);
    allow_questions_about_itself(filter);
    allow_legacy(filter);
    deny_newer(filter);
    if (!filter.install())
        return std::string("seccomp: ") + std::strerror(errno);
    return std::nullopt;
}

} // namespace cudabench::recorder
