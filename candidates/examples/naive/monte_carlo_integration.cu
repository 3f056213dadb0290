// One thread a sample, one atomic addition a hit.
__global__ void count(const unsigned int* centres, const unsigned int* radii, const unsigned int* key,
                      unsigned int* hits, int samples) {
    unsigned int n = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int j = blockIdx.y;
    if (n >= samples)
        return;
    unsigned int c[4] = {n, 0, j, 0};
    unsigned int k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
        unsigned int high0 = __umulhi(0xD2511F53u, c[0]), low0 = 0xD2511F53u * c[0];
        unsigned int high2 = __umulhi(0xCD9E8D57u, c[2]), low2 = 0xCD9E8D57u * c[2];
        c[0] = high2 ^ c[1] ^ k0;
        c[1] = low2;
        c[2] = high0 ^ c[3] ^ k1;
        c[3] = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    unsigned long long distance = 0;
    for (int d = 0; d < 4; ++d) {
        long long difference = (long long)(c[d] >> 1) - (long long)centres[4 * j + d];
        distance += difference * difference;
    }
    unsigned long long radius = radii[j];
    if (distance <= radius * radius)
        atomicAdd(&hits[j], 1u);
}

extern "C" void solve(const unsigned int* centres, const unsigned int* radii, const unsigned int* key,
                      unsigned int* hits, int integrals, int samples) {
    cudaMemset(hits, 0, integrals * sizeof(unsigned int));
    count<<<dim3((samples + 255) / 256, integrals), 256>>>(centres, radii, key, hits, samples);
}
