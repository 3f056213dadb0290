// Host code that reaches for what it must not have. Each function says in its output how far it came.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

namespace {

/// Every folder and file that only the machine's own programs need.
constexpr const char* closed[] = {"/etc/passwd",
                                  "/etc/shadow",
                                  "/dev/null",
                                  "/dev/nvidiactl",
                                  "/dev/nvidia0",
                                  "/proc/self/mem",
                                  "/proc/self/maps",
                                  "/proc/1/environ",
                                  "/sys",
                                  "/",
                                  "/tmp",
                                  "/home",
                                  "/dev/shm",
                                  "."};

void try_open(const char* path, int flags) {
    const int file = open(path, flags, 0600);
    std::printf("%s %s\n", path, file >= 0 ? "OPENED" : "closed");
}

} // namespace

extern "C" {

void open_files(void* const*, const long long*, const double*) {
    for (const char* path : closed)
        try_open(path, O_RDONLY);
    try_open("/usr/lib/cudabench_was_here", O_WRONLY | O_CREAT);
    try_open("/tmp/cudabench_was_here", O_WRONLY | O_CREAT);
}

void open_neighbour(void* const*, const long long*, const double*) {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&open_neighbour), &info);
    const auto folder = std::filesystem::path(info.dli_fname).parent_path();
    try_open(info.dli_fname, O_RDONLY);
    try_open((folder / "reference.txt").c_str(), O_RDONLY);
    std::printf("library %s\n", dlopen((folder / "recorder_neighbour.so").c_str(), RTLD_NOW) ? "OPENED" : "closed");
}

void opens_itself_to_change(void* const*, const long long*, const double*) {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&opens_itself_to_change), &info);
    for (const int flags : {O_CREAT, O_TRUNC, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_TMPFILE}) {
        const int file = open(info.dli_fname, flags, 0600);
        std::printf("%o %s\n", static_cast<unsigned>(flags), file < 0 && errno == EACCES ? "refused" : "LET");
#if defined(__x86_64__)
        const long legacy = syscall(SYS_open, info.dli_fname, flags, 0600);
        std::printf("%o %s\n", static_cast<unsigned>(flags), legacy < 0 && errno == EACCES ? "refused" : "LET");
#endif
    }
}

void truncates_itself(void* const*, const long long*, const double*) {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&truncates_itself), &info);
    (void)!truncate(info.dli_fname, 0);
}

void load_driver(void* const*, const long long*, const double*) {
    std::printf("driver %s\n", dlopen("libcuda.so.1", RTLD_NOW) ? "loaded" : "absent");
}

void forks(void* const*, const long long*, const double*) {
    fork();
}
void vforks(void* const*, const long long*, const double*) {
    syscall(SYS_vfork);
}
void clones(void* const*, const long long*, const double*) {
    syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
void runs_a_program(void* const*, const long long*, const double*) {
    (void)!std::system("true");
}
void executes(void* const*, const long long*, const double*) {
    char* none[] = {nullptr};
    execve("/bin/true", none, none);
}
void connects(void* const*, const long long*, const double*) {
    socket(AF_INET, SOCK_STREAM, 0);
}
void pairs_sockets(void* const*, const long long*, const double*) {
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}
void traces(void* const*, const long long*, const double*) {
    ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
}
void reads_its_parent(void* const*, const long long*, const double*) {
    char byte = 0;
    iovec local{&byte, 1};
    iovec remote{&byte, 1};
    process_vm_readv(getppid(), &local, 1, &remote, 1, 0);
}
void kills_its_parent(void* const*, const long long*, const double*) {
    kill(getppid(), SIGKILL);
}
void kills_everybody(void* const*, const long long*, const double*) {
    kill(-1, SIGKILL);
}
void filters_again(void* const*, const long long*, const double*) {
    sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    const sock_fprog program{1, &allow};
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
void becomes_dumpable(void* const*, const long long*, const double*) {
    prctl(PR_SET_DUMPABLE, 1);
}
void survives_its_parent(void* const*, const long long*, const double*) {
    prctl(PR_SET_PDEATHSIG, 0);
}
void raises_its_limits(void* const*, const long long*, const double*) {
    const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &more);
}
void types_into_the_terminal(void* const*, const long long*, const double*) {
    ioctl(0, TIOCSTI, "x");
}
void steers_signals(void* const*, const long long*, const double*) {
    fcntl(3, F_SETOWN, getppid());
}
void makes_a_file_in_memory(void* const*, const long long*, const double*) {
    memfd_create("x", 0);
}
void changes_a_mode(void* const*, const long long*, const double*) {
    chmod("/tmp", 0777);
}
void removes_a_file(void* const*, const long long*, const double*) {
    unlink("/tmp/x");
}
void uses_io_uring(void* const*, const long long*, const double*) {
    syscall(SYS_io_uring_setup, 1, nullptr);
}
void unshares(void* const*, const long long*, const double*) {
    syscall(SYS_unshare, 0);
}
void calls_what_does_not_exist(void* const*, const long long*, const double*) {
    syscall(400);
}
void calls_what_is_newer_than_the_filter(void* const*, const long long*, const double*) {
    const long result = syscall(4095);
    std::printf("%ld %d\n", result, errno == ENOSYS);
}
#if defined(__x86_64__)
void calls_as_a_32_bit_program(void* const*, const long long*, const double*) {
    constexpr int fork_number = 2;
    int result = fork_number;
    asm volatile("int $0x80" : "+a"(result)::"memory");
}
#endif
void opens_a_process(void* const*, const long long*, const double*) {
    syscall(SYS_pidfd_open, getppid(), 0);
}

void replaces_the_handler(void* const*, const long long*, const double*) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGSYS, &action, nullptr);
    const bool child = fork() == 0;
    std::printf("%s\n", child ? "a CHILD" : "no child");
    std::fflush(stdout);
}

void ignores_the_trap(void* const*, const long long*, const double*) {
    std::signal(SIGSYS, SIG_IGN);
    fork();
}

void forks_in_a_thread(void* const*, const long long*, const double*) {
    std::thread([] { fork(); }).join();
}

void looks_around(void* const*, const long long*, const double*) {
    std::printf("environment %s\n", environ && environ[0] ? "FULL" : "empty");
    for (int descriptor = 5; descriptor < 64; ++descriptor)
        if (fcntl(descriptor, F_GETFD) >= 0)
            std::printf("descriptor %d OPEN\n", descriptor);
    char byte = 0;
    std::printf("input %zd\n", read(0, &byte, 1));
}
}
