// Host code as it should be, and some that is odd but allowed. Written against the runtime's names alone, so that it
// is compiled without nvcc.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

extern "C" {

int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMemset(void* pointer, int value, std::size_t bytes);
int cudaMemcpy(void* destination, const void* source, std::size_t bytes, int kind);
int cudaIpcGetMemHandle(void* graph, void* stream);

void fill_and_copy(void* const* buffers, const long long* dims, const double* params) {
    void* scratch = nullptr;
    cudaMalloc(&scratch, static_cast<std::size_t>(dims[0]));
    cudaMemset(buffers[0], static_cast<int>(params[0]), static_cast<std::size_t>(dims[1]));
    const char text[] = "seven";
    cudaMemcpy(scratch, text, sizeof text, 1);
    std::printf("filled\n");
}

void copy_down(void* const* buffers, const long long*, const double*) {
    unsigned char bytes[4] = {};
    cudaMemset(buffers[0], 1, 4);
    cudaMemcpy(bytes, buffers[0], sizeof bytes, 2);
    cudaMemset(buffers[0], bytes[0] + bytes[3], 4);
}

void ask_often(void* const* buffers, const long long* dims, const double*) {
    unsigned char byte = 0;
    for (long long i = 0; i < dims[0]; ++i)
        cudaMemcpy(&byte, buffers[0], 1, 2);
}

void fill_often(void* const* buffers, const long long* dims, const double*) {
    for (long long i = 0; i < dims[0]; ++i)
        cudaMemset(buffers[0], 1, 4);
}

void copy_often(void* const* buffers, const long long* dims, const double*) {
    const std::vector<char> data(1 << 20);
    for (long long i = 0; i < dims[0]; ++i)
        cudaMemcpy(buffers[0], data.data(), data.size(), 1);
}

void unsupported(void* const*, const long long*, const double*) {
    cudaIpcGetMemHandle(nullptr, nullptr);
}

void many_joined_threads(void* const*, const long long* dims, const double*) {
    std::vector<std::thread> threads;
    for (long long i = 0; i < dims[0]; ++i)
        threads.emplace_back([] { std::make_unique<char[]>(1 << 16)[0] = 1; });
    for (std::thread& thread : threads)
        thread.join();
}

void caught_exception(void* const* buffers, const long long*, const double*) {
    try {
        throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
        cudaMemset(buffers[0], 2, 4);
    }
}
}
