// Layer normalization of each row; one block a row, in double precision: first the mean, then the variance.

namespace {

constexpr int threads = 256;

__device__ double sum_over_block(double value) {
    __shared__ double partial[threads];
    __syncthreads(); // the array's last readers are done
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    return partial[0];
}

struct Moments {
    double mean;
    double deviation; // sqrt(variance + eps)
    double size;      // root mean square of the values
};

__device__ Moments moments(const float* row, int C, double eps) {
    double sum = 0;
    double squares = 0;
    for (int column = threadIdx.x; column < C; column += threads) {
        sum += row[column];
        squares += static_cast<double>(row[column]) * row[column];
    }
    const double mean = sum_over_block(sum) / C;
    squares = sum_over_block(squares);
    double distances = 0;
    for (int column = threadIdx.x; column < C; column += threads) {
        const double distance = row[column] - mean;
        distances += distance * distance;
    }
    return {mean, sqrt(sum_over_block(distances) / C + eps), sqrt(squares / C)};
}

struct Result {
    __device__ double operator()(double normalized, double weight, double bias, const Moments&) const {
        return normalized * weight + bias;
    }
};

// With r the row's size over its deviation: the mean may be off by r, which moves the normalized value by as much; the
// variance, if it comes from the sum of squares, by r^2, which scales it.
struct Magnitude {
    __device__ double operator()(double normalized, double weight, double bias, const Moments& row) const {
        const double r = row.size / row.deviation;
        return fabs(weight) * (r + fabs(normalized) * (1 + r * r)) + fabs(bias);
    }
};

template <typename Finish>
__global__ void normalize(const float* input, const float* weight, const float* bias, float* output, int C, double eps,
                          Finish finish) {
    const float* row = input + static_cast<long long>(blockIdx.x) * C;
    float* result = output + static_cast<long long>(blockIdx.x) * C;
    const Moments of_row = moments(row, C, eps);
    for (int column = threadIdx.x; column < C; column += threads) {
        const double normalized = (row[column] - of_row.mean) / of_row.deviation;
        result[column] = static_cast<float>(finish(normalized, weight[column], bias[column], of_row));
    }
}

} // namespace

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                      float eps) {
    normalize<<<N, threads>>>(input, weight, bias, output, C, eps, Result{});
}

extern "C" void magnitude(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                          float eps) {
    normalize<<<N, threads>>>(input, weight, bias, output, C, eps, Magnitude{});
}
