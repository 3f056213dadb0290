// Voxel of each point; one thread a point. Whole numbers and powers of two: single precision is exact.

namespace {

constexpr int threads = 256;

__global__ void voxelize(const float* points, int* voxels, int N, float range_xy, float range_z, float voxel_xy,
                         float voxel_z) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index >= N) {
        return;
    }
    const float x = points[5 * index];
    const float y = points[5 * index + 1];
    const float z = points[5 * index + 2];
    const bool inside =
        x >= -range_xy && x < range_xy && y >= -range_xy && y < range_xy && z >= -range_z && z < range_z;
    int* const voxel = voxels + 3 * index;
    voxel[0] = inside ? static_cast<int>(floorf((z + range_z) / voxel_z)) : -1;
    voxel[1] = inside ? static_cast<int>(floorf((y + range_xy) / voxel_xy)) : -1;
    voxel[2] = inside ? static_cast<int>(floorf((x + range_xy) / voxel_xy)) : -1;
}

} // namespace

extern "C" void solve(const float* points, int* voxels, int N, float range_xy, float range_z, float voxel_xy,
                      float voxel_z) {
    const int blocks = static_cast<int>((static_cast<long long>(N) + threads - 1) / threads);
    voxelize<<<blocks, threads>>>(points, voxels, N, range_xy, range_z, voxel_xy, voxel_z);
}
