extern "C" __global__ void axpy(const float* x, float* y, long long n) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i] + y[i];
}

/// Takes `nanoseconds`.
extern "C" __global__ void last_for(unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}

extern "C" __global__ void read_all(const float4* values, long long n, float* sink) {
    float sum = 0;
    for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
         i += gridDim.x * static_cast<long long>(blockDim.x))
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
    if (sum == 1.5f)
        *sink = sum;
}

/// The same, and asks the cache to keep the lines before all others.
extern "C" __global__ void read_all_and_keep(const float4* values, long long n, float* sink) {
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    float sum = 0;
    for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
         i += gridDim.x * static_cast<long long>(blockDim.x)) {
        float4 v;
        asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(values + i), "l"(policy));
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 1.5f)
        *sink = sum;
}

__device__ int calls;
extern "C" __global__ void count_calls(int* out) {
    *out = ++calls;
}
extern "C" __global__ void add_one(float* p) {
    *p += 1;
}
extern "C" __global__ void copy_one(const float* from, float* to) {
    *to = *from;
}
extern "C" __global__ void endless_from_the_fifth_call(int* out) {
    *out = ++calls;
    while (*reinterpret_cast<volatile int*>(&calls) >= 5) {
    }
}
