// Sums by key: a hash table with sums in double precision; then its groups are collected and ranked by key.

namespace {

constexpr int threads = 256;
constexpr int blocks = 1056;
constexpr unsigned int slots = 65536; // eight times the groups
constexpr long long vacant = -(1LL << 40);

struct Group {
    long long key; // 32 bits, or vacant
    double sum;
};

struct Plain {
    __device__ double operator()(double value) const { return value; }
};

struct Square {
    __device__ double operator()(double value) const { return value * value; }
};

struct One {
    __device__ double operator()(double) const { return 1; }
};

__global__ void clear(Group* table) {
    table[blockIdx.x * threads + threadIdx.x] = {vacant, 0.0};
}

__device__ bool claim(Group& slot, long long key) {
    const long long there = *static_cast<volatile long long*>(&slot.key);
    if (there == key) {
        return true;
    }
    if (there != vacant) {
        return false;
    }
    const auto before = static_cast<long long>(atomicCAS(reinterpret_cast<unsigned long long*>(&slot.key),
                                                         static_cast<unsigned long long>(vacant),
                                                         static_cast<unsigned long long>(key)));
    return before == vacant || before == key;
}

template <typename Map> __global__ void insert(const int* keys, const float* values, Group* table, int N, Map map) {
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += blocks * threads) {
        const int key = keys[i];
        unsigned int slot = static_cast<unsigned int>(key) * 2654435769U >> 16;
        while (!claim(table[slot], key)) {
            slot = (slot + 1) % slots;
        }
        atomicAdd(&table[slot].sum, map(values[i]));
    }
}

// In any order.
__global__ void collect(const Group* table, Group* groups, int* count) {
    const Group slot = table[blockIdx.x * threads + threadIdx.x];
    if (slot.key != vacant) {
        groups[atomicAdd(count, 1)] = slot;
    }
}

__global__ void rank_groups(const Group* groups, const int* count, int* group_keys, float* sums) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index >= *count) {
        return;
    }
    int rank = 0;
    for (int other = 0; other < *count; ++other) {
        rank += groups[other].key < groups[index].key;
    }
    group_keys[rank] = static_cast<int>(groups[index].key);
    sums[rank] = static_cast<float>(groups[index].sum);
}

template <typename Map>
void sum_groups(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N, int capacity,
                Map map) {
    Group* table = nullptr;
    Group* groups = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&table), slots * sizeof(Group));
    cudaMalloc(reinterpret_cast<void**>(&groups), slots * sizeof(Group));
    cudaMemset(group_keys, 0, capacity * sizeof(int));
    cudaMemset(sums, 0, capacity * sizeof(float));
    cudaMemset(count, 0, sizeof(int));
    clear<<<slots / threads, threads>>>(table);
    insert<<<blocks, threads>>>(keys, values, table, N, map);
    collect<<<slots / threads, threads>>>(table, groups, count);
    rank_groups<<<slots / threads, threads>>>(groups, count, group_keys, sums);
    cudaFree(table);
    cudaFree(groups);
}

// sqrt(n ||values||^2)
__global__ void join_sizes(const float* sizes, float* sums, int capacity) {
    const int group = blockIdx.x * threads + threadIdx.x;
    if (group < capacity) {
        sums[group] = sqrtf(sizes[group] * sums[group]);
    }
}

} // namespace

extern "C" void solve(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N,
                      int capacity) {
    sum_groups(keys, values, group_keys, sums, count, N, capacity, Plain{});
}

extern "C" void magnitude(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N,
                          int capacity) {
    float* sizes = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sizes), capacity * sizeof(float));
    sum_groups(keys, values, group_keys, sizes, count, N, capacity, One{});
    sum_groups(keys, values, group_keys, sums, count, N, capacity, Square{});
    join_sizes<<<(capacity + threads - 1) / threads, threads>>>(sizes, sums, capacity);
    cudaFree(sizes);
}
