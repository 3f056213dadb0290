// Host code that does not return.
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {

int cudaMemset(void* pointer, int value, std::size_t bytes);

void null_pointer(void* const* buffers, const long long*, const double*) {
    cudaMemset(buffers[0], 1, 4);
    *reinterpret_cast<volatile int*>(16) = 1;
}

void wild_pointer(void* const*, const long long*, const double*) {
    *reinterpret_cast<volatile int*>(0xdead000000000000) = 1;
}

void division_by_zero(void* const*, const long long* dims, const double*) {
    std::printf("%lld\n", 100 / dims[1]);
}

void aborted(void* const*, const long long*, const double*) {
    std::abort();
}

void crash_in_a_thread(void* const*, const long long*, const double*) {
    std::thread([] { *reinterpret_cast<volatile int*>(16) = 1; }).join();
}

__attribute__((noinline)) int deep(volatile char* from) {
    volatile char frame[1000];
    frame[0] = from[0];
    return deep(frame) + frame[0];
}

void deep_recursion(void* const*, const long long*, const double*) {
    volatile char first = 0;
    std::printf("%d\n", deep(&first));
}

void large_array(void* const*, const long long*, const double*) {
    volatile char array[64 << 20];
    for (std::size_t i = 0; i < sizeof array; i += 4096)
        array[i] = 1;
}

void exits(void* const*, const long long* dims, const double*) {
    std::exit(static_cast<int>(dims[0]));
}

void exits_at_once(void* const*, const long long* dims, const double*) {
    _exit(static_cast<int>(dims[0]));
}

void leaves_its_thread(void* const*, const long long*, const double*) {
    pthread_exit(nullptr);
}

void goes_on_without_its_main_thread(void* const*, const long long*, const double*) {
    std::thread([] { sleep(1000); }).detach();
    pthread_exit(nullptr);
}

void kills_itself(void* const*, const long long*, const double*) {
    kill(getpid(), SIGKILL);
}

void endless_loop(void* const*, const long long*, const double*) {
    volatile int counter = 0;
    for (;;)
        counter = 1;
}

void endless_sleep(void* const*, const long long*, const double*) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (;;)
        sleep(1000);
}

void colourful_output(void* const*, const long long*, const double*) {
    std::fputs("\x1b[2J\r\a\x7fta\tb \xc3\xa9\n", stdout);
    std::fputc('\0', stdout);
}

void endless_output(void* const*, const long long*, const double*) {
    for (;;)
        std::puts("all work and no play");
}

void endless_notices(void* const*, const long long*, const double*) {
    const char line[] = "note: x\n";
    for (;;)
        (void)!write(4, line, sizeof line - 1);
}

void endless_allocation(void* const*, const long long*, const double*) {
    for (;;)
        std::memset(std::malloc(16 << 20), 1, 16 << 20);
}

void endless_reservation(void* const*, const long long*, const double*) {
    std::vector<char*> blocks;
    for (;;)
        blocks.push_back(new char[std::size_t{1} << 30]);
}

void unchecked_allocation(void* const*, const long long*, const double*) {
    for (;;)
        *static_cast<volatile char*>(std::malloc(std::size_t{64} << 20)) = 1;
}

void allocation_of_too_much(void* const*, const long long*, const double*) {
    new char[std::size_t{1} << 45];
}

void throws(void* const*, const long long*, const double*) {
    throw std::runtime_error("no such tile");
}

void throws_a_number(void* const*, const long long*, const double*) {
    throw 7;
}

void throws_in_a_thread(void* const*, const long long*, const double*) {
    std::thread([] { throw std::runtime_error("from a thread"); }).join();
}

void endless_threads(void* const*, const long long*, const double*) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    for (pthread_t thread;;)
        pthread_create(
            &thread, &attributes,
            [](void*) -> void* {
                pause();
                return nullptr;
            },
            nullptr);
}

void leaves_a_thread(void* const*, const long long*, const double*) {
    std::thread([] { sleep(1000); }).detach();
}
}
