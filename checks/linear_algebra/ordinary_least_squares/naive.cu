// One block an entry of the normal equations, then one thread.
__global__ void add_products(const float* X, const float* y, float* sums, int samples, int features) {
    __shared__ float partial[256];
    const int i = blockIdx.x, j = blockIdx.y;
    float sum = 0;
    for (long long s = threadIdx.x; s < samples; s += 256) {
        sum += X[s * features + i] * (j < features ? X[s * features + j] : y[s]);
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[i * (features + 1) + j] = partial[0];
    }
}

__global__ void eliminate(float* rows, float* beta, int n) {
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            const float factor = rows[i * (n + 1) + k] / rows[k * (n + 1) + k];
            for (int j = k; j <= n; ++j) {
                rows[i * (n + 1) + j] -= factor * rows[k * (n + 1) + j];
            }
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        float rest = rows[i * (n + 1) + n];
        for (int j = i + 1; j < n; ++j) {
            rest -= rows[i * (n + 1) + j] * beta[j];
        }
        beta[i] = rest / rows[i * (n + 1) + i];
    }
}

extern "C" void solve(const float* X, const float* y, float* beta, int n_samples, int n_features) {
    float* sums;
    cudaMalloc(&sums, n_features * (n_features + 1) * sizeof(float));
    add_products<<<dim3(n_features, n_features + 1), 256>>>(X, y, sums, n_samples, n_features);
    eliminate<<<1, 1>>>(sums, beta, n_features);
    cudaFree(sums);
}
