// Sums by key: a hash table with sums in double precision; then its groups are collected and ranked by key.

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1056;
constexpr unsigned int slots = 65536; // eight times the groups
constexpr long long vacant = -(1LL << 40);

struct Group {
    long long key; // 32 bits, or vacant
    int size;
    double sum;
};

struct Sum {
    static __device__ void add(Group& group, double value) { atomicAdd(&group.sum, value); }
    static __device__ double of(const Group& group) { return group.sum; }
};

// sqrt(n ||values||^2)
struct Norm {
    static __device__ void add(Group& group, double value) {
        atomicAdd(&group.size, 1);
        atomicAdd(&group.sum, value * value);
    }
    static __device__ double of(const Group& group) { return sqrt(group.size * group.sum); }
};

__global__ void clear(Group* table) {
    table[blockIdx.x * threads + threadIdx.x] = {vacant, 0, 0.0};
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

template <typename Result> __global__ void insert(const int* keys, const float* values, Group* table, int N) {
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += gridDim.x * threads) {
        const int key = keys[i];
        unsigned int slot = static_cast<unsigned int>(key) * 2654435769U >> 16;
        while (!claim(table[slot], key)) {
            slot = (slot + 1) % slots;
        }
        Result::add(table[slot], values[i]);
    }
}

// In any order.
__global__ void collect(const Group* table, Group* groups, int* count) {
    const Group slot = table[blockIdx.x * threads + threadIdx.x];
    if (slot.key != vacant) {
        groups[atomicAdd(count, 1)] = slot;
    }
}

template <typename Result>
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
    sums[rank] = static_cast<float>(Result::of(groups[index]));
}

template <typename Result>
void sum_groups(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N, int capacity) {
    Group* table = nullptr;
    Group* groups = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&table), slots * sizeof(Group));
    cudaMalloc(reinterpret_cast<void**>(&groups), capacity * sizeof(Group));
    cudaMemset(group_keys, 0, capacity * sizeof(int));
    cudaMemset(sums, 0, capacity * sizeof(float));
    cudaMemset(count, 0, sizeof(int));
    clear<<<slots / threads, threads>>>(table);
    const int blocks = N / threads < most_blocks ? N / threads + 1 : most_blocks;
    insert<Result><<<blocks, threads>>>(keys, values, table, N);
    collect<<<slots / threads, threads>>>(table, groups, count);
    rank_groups<Result><<<(capacity + threads - 1) / threads, threads>>>(groups, count, group_keys, sums);
    cudaFree(table);
    cudaFree(groups);
}

} // namespace

extern "C" void solve(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N,
                      int capacity) {
    sum_groups<Sum>(keys, values, group_keys, sums, count, N, capacity);
}

extern "C" void magnitude(const int* keys, const float* values, int* group_keys, float* sums, int* count, int N,
                          int capacity) {
    sum_groups<Norm>(keys, values, group_keys, sums, count, N, capacity);
}
