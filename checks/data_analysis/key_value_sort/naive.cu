// Odd-even merging of pairs whose index decides between equal keys: a sorting network on padded arrays.
struct Pair {
    unsigned int key;
    unsigned int index;
};

__device__ bool less(const Pair& a, const Pair& b) {
    return a.key < b.key || (a.key == b.key && a.index < b.index);
}

__global__ void load(const unsigned int* keys, Pair* pairs, int N, int padded) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < padded) {
        pairs[i] = {i < N ? keys[i] : 0xFFFFFFFFU, static_cast<unsigned int>(i)};
    }
}

__global__ void order(Pair* pairs, int padded, int run, int distance) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int other = i ^ distance;
    if (i < padded && other > i) {
        const bool ascending = (i & run) == 0;
        if (less(pairs[other], pairs[i]) == ascending) {
            const Pair kept = pairs[i];
            pairs[i] = pairs[other];
            pairs[other] = kept;
        }
    }
}

__global__ void store(const Pair* pairs, const unsigned int* values, unsigned int* sorted_keys,
                      unsigned int* sorted_values, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) {
        sorted_keys[i] = pairs[i].key;
        sorted_values[i] = values[pairs[i].index];
    }
}

extern "C" void solve(const unsigned int* keys, const unsigned int* values, unsigned int* sorted_keys,
                      unsigned int* sorted_values, int N) {
    int padded = 1;
    while (padded < N) {
        padded *= 2;
    }
    const int blocks = (padded + 255) / 256;
    Pair* pairs = nullptr;
    cudaMalloc(&pairs, padded * sizeof(Pair));
    load<<<blocks, 256>>>(keys, pairs, N, padded);
    for (int run = 2; run <= padded; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            order<<<blocks, 256>>>(pairs, padded, run, distance);
        }
    }
    store<<<blocks, 256>>>(pairs, values, sorted_keys, sorted_values, N);
    cudaFree(pairs);
}
