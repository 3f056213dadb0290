// Kernels of which the compiler's own report (-Xptxas -v) and this source say what device_code must read.
struct Odd {
    float x;
    double y;
    char z;
};
struct Large {
    char bytes[20000];
};

__constant__ float coefficients[256];
__device__ int counter;
__device__ double table[4] = {1, 2, 3, 4};
static __device__ int hidden[3];

namespace {
__global__ void anonymous(Odd o, float* p, char c) {
    p[0] = o.x + static_cast<float>(o.y) + c + hidden[0];
}
} // namespace

__global__ void nothing() {
    counter = 1;
}

__global__ void large(Large l, float* p, int n) {
    p[n] = l.bytes[n];
}

__global__ void __launch_bounds__(128, 2) bounded(float* p) {
    __shared__ float s[300];
    s[threadIdx.x] = p[threadIdx.x] * coefficients[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[127 - threadIdx.x] + static_cast<float>(table[threadIdx.x % 4]);
}

__global__ void stack(float* p, int n) {
    static __device__ int hits;
    volatile float a[100];
    for (int i = 0; i < n; ++i)
        a[i] = p[i];
    p[0] = a[n / 2];
    ++hits;
}

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
__global__ void __cluster_dims__(4, 2, 1) clustered(float* p) {
    extern __shared__ float d[];
    p[0] = d[threadIdx.x];
}
#endif

extern "C" void solve(float* p, int n) {
    anonymous<<<1, 1>>>(Odd{1, 2, 'c'}, p, 'd');
    nothing<<<1, 1>>>();
    large<<<1, 1>>>(Large{}, p, n);
    bounded<<<1, 128>>>(p);
    stack<<<1, 1>>>(p, n);
    clustered<<<8, 1, 64>>>(p);
}
