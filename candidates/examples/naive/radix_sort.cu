// A sorting network on global memory, one launch a step; whatever lies beyond the end counts as infinite and stays
// there.
__global__ void order(unsigned int* keys, unsigned int n, unsigned int flips) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int partner = i ^ flips;
    if (partner > i && partner < n && keys[partner] < keys[i]) {
        unsigned int key = keys[i];
        keys[i] = keys[partner];
        keys[partner] = key;
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
    cudaMemcpy(output, input, (size_t)N * sizeof(unsigned int), cudaMemcpyDeviceToDevice);
    int blocks = (N + 255) / 256;
    for (unsigned int run = 2; run / 2 < (unsigned int)N; run *= 2) {
        order<<<blocks, 256>>>(output, N, run - 1);
        for (unsigned int distance = run / 4; distance > 0; distance /= 2)
            order<<<blocks, 256>>>(output, N, distance);
    }
}
