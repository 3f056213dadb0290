// Host code that speaks over the recorder's own channels.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" int cudaMemset(void* pointer, int value, std::size_t bytes);
extern "C" int cudaMemcpy(void* destination, const void* source, std::size_t bytes, int kind);

namespace {

void say(const void* bytes, std::size_t count) {
    (void)!write(3, bytes, count);
}

void say_frame(std::uint32_t kind, std::uint32_t length, const std::vector<unsigned char>& payload = {}) {
    say(&kind, sizeof kind);
    say(&length, sizeof length);
    say(payload.data(), payload.size());
}

constexpr std::uint32_t hello = 1, operation = 2, question = 3, unsupported = 5, note = 6, done = 7;

} // namespace

extern "C" {

void rubbish(void* const*, const long long* dims, const double*) {
    std::uint64_t state = static_cast<std::uint64_t>(dims[0]) * 0x9e3779b97f4a7c15 + 1;
    std::vector<unsigned char> bytes(100'000);
    for (unsigned char& byte : bytes) {
        state = state * 6364136223846793005 + 1442695040888963407;
        byte = static_cast<unsigned char>(state >> 56);
    }
    say(bytes.data(), bytes.size());
}

void rubbish_operations(void* const*, const long long* dims, const double*) {
    std::uint64_t state = static_cast<std::uint64_t>(dims[0]) * 0x9e3779b97f4a7c15 + 1;
    for (int i = 0; i < 1000; ++i) {
        std::vector<unsigned char> payload(state >> 58);
        for (unsigned char& byte : payload) {
            state = state * 6364136223846793005 + 1442695040888963407;
            byte = static_cast<unsigned char>((state >> 56) & (state >> 48 & 1 ? 0xff : 0x0f));
        }
        say_frame(i % 2 == 0 ? operation : question, static_cast<std::uint32_t>(payload.size()), payload);
    }
}

void impostor(void* const*, const long long*, const double*) {
    say_frame(hello, 0);
}

void huge_frame(void* const*, const long long*, const double*) {
    say_frame(operation, 0xffffffff);
}

void cut_frame(void* const*, const long long*, const double*) {
    say_frame(operation, 1000, {1, 2, 3});
    _exit(0);
}

void asks_and_never_listens(void* const* buffers, const long long*, const double*) {
    // CopyToHost of 64 MiB: kind of question, stream, place (address), pitch, row bytes, rows.
    std::vector<unsigned char> payload(38);
    const std::uint64_t rows = 1;
    const std::uint64_t row_bytes = 64 << 20;
    payload[0] = 0;
    std::memcpy(payload.data() + 6, &buffers[0], 8);
    std::memcpy(payload.data() + 22, &row_bytes, 8);
    std::memcpy(payload.data() + 30, &rows, 8);
    for (;;)
        say_frame(question, static_cast<std::uint32_t>(payload.size()), payload);
}

void asks_for_everything(void* const*, const long long*, const double*) {
    std::vector<unsigned char> payload(38, 0xff);
    payload[0] = 0;
    payload[5] = 0;
    say_frame(question, static_cast<std::uint32_t>(payload.size()), payload);
    for (;;)
        pause();
}

void notes_without_end(void* const*, const long long*, const double*) {
    for (;;)
        say_frame(note, 1, {'x'});
}

void closes_the_socket(void* const*, const long long*, const double*) {
    close(3);
    for (;;)
        pause();
}

void forges_the_end(void* const* buffers, const long long*, const double*) {
    cudaMemset(buffers[0], 1, 4); // still in the runtime's buffer
    say_frame(done, 0);
    _exit(0);
}

void forges_a_failure(void* const*, const long long*, const double*) {
    const char text[] = "unconfined: because\nconfined\nfailed: \x1b[31mnot me\n";
    (void)!write(4, text, sizeof text - 1);
    _exit(0);
}

void forges_an_unsupported_call(void* const*, const long long*, const double*) {
    say_frame(unsupported, 4, {'a', '\n', 0x1b, 'b'});
    for (;;)
        pause();
}

void prints_a_report(void* const*, const long long*, const double*) {
    std::puts("<DartMeasurement name=\"score\">1</DartMeasurement>");
    std::puts("[       OK ]");
}

void acts_at_exit(void* const* buffers, const long long*, const double*) {
    static void* buffer = buffers[0];
    std::atexit([] { cudaMemset(buffer, 9, 4); });
}

void goes_on_in_a_thread(void* const* buffers, const long long*, const double*) {
    std::thread([buffer = buffers[0]] {
        for (;;)
            cudaMemset(buffer, 9, 4);
    }).detach();
}
}
