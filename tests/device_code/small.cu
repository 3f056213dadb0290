__device__ int counter;

__global__ void small(float* p, int n) {
    __shared__ float s[32];
    s[threadIdx.x] = p[n];
    __syncthreads();
    p[n] = s[0] + static_cast<float>(counter);
}
