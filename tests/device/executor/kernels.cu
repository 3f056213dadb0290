#include <cooperative_groups.h>
#include <cstdio>

extern "C" __global__ void store_at(float* p, long long index, float value) {
    p[index] = value;
}
extern "C" __global__ void load_at(const float* p, long long index, float* result) {
    *result = p[index];
}
extern "C" __global__ void store_byte(unsigned char* p, long long index) {
    p[index] = 1;
}
extern "C" __global__ void add_at(float* p, long long index) {
    atomicAdd(p + index, 1.0f);
}

__global__ void endless(volatile int* flag) {
    while (*flag != 12345) {
    }
}

/// Writes `value` after about `nanoseconds`.
extern "C" __global__ void store_late(float* p, float value, unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
    *reinterpret_cast<volatile float*>(p) = value;
}
extern "C" __global__ void copy_one(const float* from, float* to) {
    *to = *reinterpret_cast<const volatile float*>(from);
}

__device__ int exported = 7;
__constant__ float coefficients[4] = {1, 2, 3, 4};
namespace {
__device__ int hidden[3];
__global__ void count_hidden(int* out) {
    static __device__ int calls = 100;
    out[0] = ++calls;
    out[1] = ++hidden[2];
    out[2] = ++exported;
    out[3] = static_cast<int>(coefficients[1]);
}
} // namespace
extern "C" __global__ void touch_hidden(int* out) {
    if (out != nullptr)
        out[0] = hidden[0];
}
void keep() {
    count_hidden<<<1, 1>>>(nullptr);
}

struct Mixed {
    int a;
    double b;
    char c;
};
template <typename T> __global__ void take(T value, double* out, short last) {
    out[0] = value.a + value.b + value.c + last;
}
template __global__ void take<Mixed>(Mixed, double*, short);

extern "C" __global__ void reverse_in_shared(float* values, int n) {
    extern __shared__ float shared[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        shared[i] = values[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        values[i] = shared[n - 1 - i];
}

/// Every thread sees all blocks' sums only if the grid really waits for all.
extern "C" __global__ void grid_sum(int* sum, int* seen) {
    atomicAdd(sum, 1);
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        seen[blockIdx.x] = *reinterpret_cast<volatile int*>(sum);
}

extern "C" __global__ void print(int value) {
    printf("<CTestMeasurement>%d</CTestMeasurement>\n", value);
}
extern "C" __global__ void print_much() {
    for (int i = 0; i < 100; ++i)
        printf("%1000d\n", i);
}
extern "C" __global__ void fail_assert() {
    asm volatile("trap;");
}
