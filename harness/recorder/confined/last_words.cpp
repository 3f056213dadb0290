#include "recorder/confined/last_words.h"

#include "recorder/confined/system_call_names.h"
#include "recorder/report.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace cudabench::recorder {

namespace {

constexpr int exit_code = 70;

/// A line that is built without the heap, which may be broken.
class Line {
public:
    Line& add(std::string_view text) {
        const std::size_t count = std::min(text.size(), text_.size() - size_);
        std::copy_n(text.data(), count, text_.data() + size_);
        size_ += count;
        return *this;
    }

    Line& add_number(std::uint64_t value, unsigned base) {
        std::array<char, 20> digits; // NOLINT(cppcoreguidelines-pro-type-member-init)
        std::size_t first = digits.size();
        do {
            digits.at(--first) = "0123456789abcdef"[value % base];
            value /= base;
        } while (value != 0);
        return add({digits.data() + first, digits.size() - first});
    }

    [[nodiscard]] std::string_view text() const { return {text_.data(), size_}; }

private:
    std::array<char, 1024> text_{};
    std::size_t size_ = 0;
};

[[noreturn]] void end(const Line& why) {
    report(failed_word, why.text());
    _exit(exit_code);
}

std::uintptr_t stack_top = 0;   // of the main thread
std::uintptr_t stack_bytes = 0; // that it may use

std::uintptr_t stack_pointer(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.sp;
#endif
}

/// Whether the main thread's stack pointer has left the stack, or all but.
bool stack_overflowed(const ucontext_t& context) {
    constexpr std::uintptr_t one_frame = 128 << 10;
    constexpr std::uintptr_t largest_frame = std::uintptr_t{1} << 30;
    const std::uintptr_t used = stack_top - stack_pointer(context);
    return used > stack_bytes - one_frame && used < stack_bytes + largest_frame;
}

/// A pointer that a failed allocation gave is used soon: was there hardly any address space left?
bool memory_exhausted() {
    constexpr std::size_t probe = std::size_t{2} << 30;
    void* memory = mmap(nullptr, probe, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return true;
    munmap(memory, probe);
    return false;
}

Line& add_limit(Line& line) {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    return line.add("host code ran out of memory: its address space is limited to ")
        .add_number(limit.rlim_cur >> 20, 10)
        .add(" MiB");
}

void on_crash(int signal, siginfo_t* info, void* context) {
    Line line;
    const bool fault = signal == SIGSEGV || signal == SIGBUS;
    if (fault && stack_overflowed(*static_cast<const ucontext_t*>(context)))
        end(line.add("host code overflowed its stack of ").add_number(stack_bytes >> 20, 10).add(" MiB"));
    if (fault && memory_exhausted())
        end(add_limit(line));
    const char* name = sigabbrev_np(signal);
    line.add("host code crashed: SIG").add(name ? name : "?");
    // The kernel knows no address of an access that is not even possible.
    if (fault && info->si_code != SI_KERNEL)
        line.add(" at address 0x").add_number(reinterpret_cast<std::uintptr_t>(info->si_addr), 16);
    end(line);
}

void on_forbidden_call(int, siginfo_t* info, void*) {
    Line line;
    line.add("forbidden system call: ");
    const char* name = info->si_syscall == SYS_clone ? "fork" : system_call_name(info->si_syscall);
    end(name ? line.add(name) : line.add("number ").add_number(static_cast<std::uint64_t>(info->si_syscall), 10));
}

[[noreturn]] void on_uncaught_exception() {
    Line line;
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (!type)
        end(line.add("host code called std::terminate"));
    try {
        throw;
    } catch (const std::bad_alloc&) {
        end(memory_exhausted() ? add_limit(line) : line.add("host code could not allocate memory: std::bad_alloc"));
    } catch (const std::exception& exception) {
        end(line.add("host code threw an uncaught exception: ").add(exception.what()));
    } catch (...) {
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> name(
            abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
        end(line.add("host code threw an uncaught exception of type ").add(name ? name.get() : type->name()));
    }
}

void handle(std::initializer_list<int> signals, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
    for (const int signal : signals)
        sigaction(signal, &action, nullptr);
}

} // namespace

void report(std::string_view word, std::string_view text) {
    constexpr std::size_t longest = 1000;
    Line line;
    line.add(word).add(text.substr(0, longest)).add("\n");
    std::string_view rest = line.text();
    while (!rest.empty()) {
        const ssize_t put = write(report_descriptor, rest.data(), rest.size());
        if (put <= 0)
            return;
        rest.remove_prefix(static_cast<std::size_t>(put));
    }
}

void report_last_words() {
    static std::array<std::byte, 64 << 10> alternate_stack;
    const stack_t stack{alternate_stack.data(), 0, alternate_stack.size()};
    sigaltstack(&stack, nullptr);
    stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    stack_bytes = limit.rlim_cur;
    handle({SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}, on_crash);
    handle({SIGSYS}, on_forbidden_call);
    std::set_terminate(on_uncaught_exception);
}

} // namespace cudabench::recorder
