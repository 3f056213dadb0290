// What is delicate to interpret, and what must be found. Launched from kernels_test.cpp.
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

extern "C" {

/// Each thread of each warp takes the lock: the holder must get its turn while the others of its warp spin.
__global__ void spin_lock(int* lock, int* count) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *static_cast<volatile int*>(count) += 1;
    __threadfence();
    atomicExch(lock, 0);
}

/// out[0]: the sum; out[1], after all blocks have met: twice the sum.
__global__ void grid_reduction(const int* in, int* out, int n) {
    auto grid = cg::this_grid();
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = 0;
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
        sum += in[i];
    sum = cg::reduce(tile, sum, cg::plus<int>());
    if (tile.thread_rank() == 0)
        atomicAdd(out, sum);
    grid.sync();
    if (grid.thread_rank() == 0)
        out[1] = 2 * out[0];
}

/// Lanes that took a branch reduce among themselves.
__global__ void coalesced_reduction(const int* in, int* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n && in[i] % 3 == 0) {
        auto group = cg::coalesced_threads();
        const int sum = cg::reduce(group, in[i], cg::plus<int>());
        if (group.thread_rank() == 0)
            atomicAdd(out, sum);
    }
}

/// Lanes that returned count as arrived at full-mask operations and barriers.
__global__ void after_exits(int* out) {
    if (threadIdx.x % 32 >= 20)
        return;
    __syncthreads();
    int sum = static_cast<int>(threadIdx.x % 32);
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
        sum += static_cast<int>(threadIdx.x % 32 ^ static_cast<unsigned>(distance)) < 20 ? other : 0;
    }
    out[threadIdx.x] = __popc(__ballot_sync(0xFFFFFFFFU, 1));
}

__device__ __noinline__ int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}
__device__ __noinline__ int doubled(int n) {
    return 2 * n;
}
__device__ int (*const operations[2])(int) = {factorial, doubled};

/// Recursion to different depths and calls through pointers, by lane.
__global__ void calls(int* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = operations[i % 2](i % 11) + factorial(i % 7);
    if (i == 3)
        printf("lane %d: %.2f %s\n", i, 1.5, "text");
}

/// Fields wider and more precise than any buffer.
__global__ void wide_fields() {
    printf("%2000000000d|%-+5d|%.1900000000f|%.*f|%*d", 7, 7, 0.25, -5, 0.5, -4, 9);
}

/// Prints next to nothing of long texts, for ever.
__global__ void endless_prints(const char* text) {
    while (true)
        printf("%.0s%.0s%.0s%.0s%.0s%.0s%.0s%.0s", text, text, text, text, text, text, text, text);
}

/// An assertion that would steer the terminal.
__global__ void steering_assertion() {
    __assert_fail("\033[31m\n\302\2331m", "a\bfile", 3, "");
}

/// Blocks wait for their predecessors: they are started in order.
__global__ void chain(volatile int* flags, int* out) {
    if (threadIdx.x == 0) {
        while (blockIdx.x != 0 && flags[blockIdx.x - 1] == 0) {
        }
        out[blockIdx.x] = blockIdx.x == 0 ? 1 : out[blockIdx.x - 1] + 1;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
}

/// cp.async into shared memory, whose end a barrier object signals.
__global__ void copies_by_barrier(const int* in, int* out) {
    __shared__ int staged[64];
    __shared__ alignas(8) unsigned char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto* barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(memory);
    if (threadIdx.x == 0)
        init(barrier, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        cuda::memcpy_async(staged + threadIdx.x, in + 64 * round + threadIdx.x, sizeof(int), *barrier);
        barrier->arrive_and_wait();
        out[64 * round + threadIdx.x] = staged[threadIdx.x ^ 1];
        barrier->arrive_and_wait();
    }
}

/// One thread starts a bulk copy; a barrier object waits for its bytes.
__global__ void copies_in_bulk(const int* in, int* out) {
    __shared__ alignas(128) int staged[64];
    __shared__ alignas(8) unsigned char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto* barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(memory);
    if (threadIdx.x == 0) {
        init(barrier, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        cuda::barrier<cuda::thread_scope_block>::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(staged, in + 64 * round, cuda::aligned_size_t<16>(sizeof staged), *barrier);
            token = cuda::device::barrier_arrive_tx(*barrier, 1, sizeof staged);
        } else {
            token = barrier->arrive();
        }
        barrier->wait(std::move(token));
        out[64 * round + threadIdx.x] = staged[threadIdx.x ^ 1];
        __syncthreads();
    }
}

/// A pipeline of two stages.
__global__ void copies_by_pipeline(const int* in, int* out) {
    __shared__ int staged[2][64];
    __shared__ alignas(8) unsigned char memory[sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>)];
    auto group = cg::this_thread_block();
    auto pipeline =
        cuda::make_pipeline(group, reinterpret_cast<cuda::pipeline_shared_state<cuda::thread_scope_block, 2>*>(memory));
    for (int round = 0; round < 3; ++round) {
        pipeline.producer_acquire();
        cuda::memcpy_async(group, staged[round % 2], in + 64 * round, sizeof staged[0], pipeline);
        pipeline.producer_commit();
        pipeline.consumer_wait();
        out[64 * round + threadIdx.x] = staged[round % 2][threadIdx.x ^ 1];
        pipeline.consumer_release();
    }
}

__global__ void bulk_of(const int* in, int* out, int bytes) {
    __shared__ alignas(128) int staged[64];
    __shared__ alignas(8) unsigned long long barrier;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(staged));
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %3, [%2];" ::"r"(to),
                 "l"(in), "r"(at), "r"(bytes));
    out[0] = staged[0];
}

__global__ void read_at(const int* in, int* out, int index) {
    out[0] = in[index];
}
__global__ void write_at(int* in, int index) {
    in[index] = 7;
}
__global__ void shared_at(int* out, int index) {
    __shared__ int values[32];
    values[threadIdx.x] = 1;
    __syncthreads();
    out[0] = values[index];
}
__global__ void misaligned(const char* in, int* out) {
    out[0] = *reinterpret_cast<const int*>(in + 2);
}
__global__ void lonely_barrier(int* out) {
    if (threadIdx.x < 32)
        asm volatile("barrier.sync 1, 64;");
    out[threadIdx.x] = 1;
    __syncthreads();
}
__global__ void asserts(int* out) {
    assert(out == nullptr);
}
__global__ void endless(volatile int* out) {
    while (out[0] == 0) {
    }
}
__global__ void traps() {
    asm volatile("trap;");
}

} // extern "C"
