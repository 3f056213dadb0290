// American puts by backward induction in double precision; one block an option, the nodes of a level in shared memory.

namespace {

constexpr int threads = 128;
constexpr int most_steps = 2048;

// powers[most_steps + k] = up^k.
__global__ void list_powers(double* powers, double up) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index <= 2 * most_steps) {
        powers[index] = pow(up, static_cast<double>(index - most_steps));
    }
}

__global__ void value(const float* stock_price, const float* strike_price, float* put, const double* powers, int steps,
                      double weight_up, double weight_down) {
    __shared__ double values[2][most_steps + 1]; // of a level and of the next
    const double stock = stock_price[blockIdx.x];
    const double strike = strike_price[blockIdx.x];
    for (int j = threadIdx.x; j <= steps; j += threads) {
        values[steps % 2][j] = fmax(strike - stock * powers[most_steps + 2 * j - steps], 0.0);
    }
    __syncthreads();
    for (int n = steps - 1; n >= 0; --n) {
        const int next = (n + 1) % 2;
        for (int j = threadIdx.x; j <= n; j += threads) {
            const double exercise = strike - stock * powers[most_steps + 2 * j - n];
            values[n % 2][j] = fmax(weight_up * values[next][j + 1] + weight_down * values[next][j], exercise);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        put[blockIdx.x] = static_cast<float>(values[0][0]);
    }
}

__global__ void strikes(const float* strike_price, float* put, int N) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index < N) {
        put[index] = strike_price[index];
    }
}

} // namespace

extern "C" void solve(const float* stock_price, const float* strike_price, float* put, int N, int steps, float up,
                      float weight_up, float weight_down) {
    double* powers = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&powers), (2 * most_steps + 1) * sizeof(double));
    list_powers<<<(2 * most_steps + threads) / threads, threads>>>(powers, up);
    value<<<N, threads>>>(stock_price, strike_price, put, powers, steps, weight_up, weight_down);
    cudaFree(powers);
}

// The strike price.
extern "C" void magnitude(const float*, const float* strike_price, float* put, int N, int, float, float, float) {
    strikes<<<(N + threads - 1) / threads, threads>>>(strike_price, put, N);
}
