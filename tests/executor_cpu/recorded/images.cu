// Textures and surfaces of every kind that the CPU executor has.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CALL(name)                                                                                                     \
    extern "C" __attribute__((visibility("default"))) void name(void* const* buffers, const long long* dims,           \
                                                                const double* params)

namespace {

constexpr unsigned block = 64;

unsigned blocks(long long n) {
    return static_cast<unsigned>((n + block - 1) / block);
}

__device__ unsigned me() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// What all calls begin with: buffers are the elements, the coordinates (3 a point; the last one of layered images is
/// the layer) and 4 channels a point; dims are width, height, depth, layered, address mode, linear, normalized
/// coordinates, read as fractions, points; params[0] is the border's colour.
struct Asked {
    Asked(void* const* buffers, const long long* dims, const double* params)
        : elements(buffers[0]), at(static_cast<const float*>(buffers[1])), width(static_cast<std::size_t>(dims[0])),
          height(static_cast<std::size_t>(dims[1])), depth(static_cast<std::size_t>(dims[2])), layered(dims[3] != 0),
          points(dims[8]) {
        for (auto& mode : texture.addressMode)
            mode = static_cast<cudaTextureAddressMode>(dims[4]);
        texture.filterMode = dims[5] != 0 ? cudaFilterModeLinear : cudaFilterModePoint;
        texture.normalizedCoords = dims[6] != 0 ? 1 : 0;
        texture.readMode = dims[7] != 0 ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        for (float& channel : texture.borderColor)
            channel = static_cast<float>(params[0]);
    }

    /// A texture of an array that holds the elements.
    template <typename T>
    cudaTextureObject_t make(const cudaChannelFormatDesc& channels = cudaCreateChannelDesc<T>()) {
        cudaArray_t array = nullptr;
        cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth), layered ? cudaArrayLayered : 0);
        cudaMemcpy3DParms up{};
        up.srcPtr = make_cudaPitchedPtr(elements, width * sizeof(T), width, height == 0 ? 1 : height);
        up.dstArray = array;
        up.extent = make_cudaExtent(width, height == 0 ? 1 : height, depth == 0 ? 1 : depth);
        up.kind = cudaMemcpyDeviceToDevice;
        cudaMemcpy3D(&up);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureObject_t object = 0;
        cudaCreateTextureObject(&object, &resource, &texture, nullptr);
        return object;
    }

    void* elements;
    const float* at;
    std::size_t width, height, depth;
    bool layered;
    long long points;
    cudaTextureDesc texture{};
};

template <typename T> __device__ T sampled(cudaTextureObject_t texture, const float* at, int dimensions, bool layered) {
    if (layered)
        return dimensions == 1 ? tex1DLayered<T>(texture, at[0], static_cast<int>(at[2]))
                               : tex2DLayered<T>(texture, at[0], at[1], static_cast<int>(at[2]));
    if (dimensions == 3)
        return tex3D<T>(texture, at[0], at[1], at[2]);
    return dimensions == 2 ? tex2D<T>(texture, at[0], at[1]) : tex1D<T>(texture, at[0]);
}

__global__ void sample_floats(cudaTextureObject_t texture, const float* at, float* out, int n, int dimensions,
                              bool layered) {
    if (me() < n)
        out[me()] = sampled<float>(texture, at + 3 * me(), dimensions, layered);
}

__global__ void sample_fractions(cudaTextureObject_t texture, const float* at, float4* out, int n) {
    if (me() < n)
        out[me()] = tex2D<float4>(texture, at[3 * me()], at[3 * me() + 1]);
}

__global__ void sample_bytes(cudaTextureObject_t texture, const float* at, int4* out, int n) {
    if (me() < n) {
        const char4 value = tex2D<char4>(texture, at[3 * me()], at[3 * me() + 1]);
        out[me()] = make_int4(value.x, value.y, value.z, value.w);
    }
}

__global__ void fetch(cudaTextureObject_t texture, const int* at, int* out, int n) {
    if (me() < n)
        out[me()] = tex1Dfetch<short2>(texture, at[me()]).y;
}

/// Turns the surface by a quarter, and adds what lies beyond it by each mode.
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, ushort4* beyond, int size) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x);
    constexpr int bytes = sizeof(ushort4);
    const auto value = surf2Dread<ushort4>(from, x * bytes, y);
    surf2Dwrite(value, to, y * bytes, size - 1 - x);
    surf2Dwrite(value, to, (size + x) * bytes, y, cudaBoundaryModeZero); // goes nowhere
    if (y == 0) {
        beyond[x] = surf2Dread<ushort4>(from, (x - 2) * bytes, -1, cudaBoundaryModeClamp);
        beyond[size + x] = surf2Dread<ushort4>(from, (x - 2) * bytes, 0, cudaBoundaryModeZero);
    }
}

__global__ void layers(cudaSurfaceObject_t surface, const unsigned char* in, unsigned char* out, int width, int height,
                       int depth) {
    const int x = static_cast<int>(threadIdx.x);
    const int i = (static_cast<int>(blockIdx.y) * height + static_cast<int>(blockIdx.x)) * width + x;
    surf2DLayeredwrite(in[i], surface, x, blockIdx.x, blockIdx.y);
    out[i] = surf2DLayeredread<unsigned char>(surface, x, blockIdx.x, blockIdx.y);
}

__global__ void write_at(cudaSurfaceObject_t surface, int x) {
    surf1Dwrite(1.0F, surface, x * 4);
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    return surface;
}

} // namespace

CALL(floats) {
    Asked asked(buffers, dims, params);
    const int dimensions = asked.height == 0 ? 1 : asked.depth == 0 || asked.layered ? 2 : 3;
    sample_floats<<<blocks(asked.points), block>>>(asked.make<float>(), asked.at, static_cast<float*>(buffers[2]),
                                                   static_cast<int>(asked.points), dimensions, asked.layered);
}

CALL(halves) {
    Asked asked(buffers, dims, params);
    const cudaTextureObject_t texture = asked.make<__half>(cudaCreateChannelDescHalf());
    sample_floats<<<blocks(asked.points), block>>>(texture, asked.at, static_cast<float*>(buffers[2]),
                                                   static_cast<int>(asked.points), 2, false);
}

CALL(fractions) {
    Asked asked(buffers, dims, params);
    sample_fractions<<<blocks(asked.points), block>>>(asked.make<uchar4>(), asked.at, static_cast<float4*>(buffers[2]),
                                                      static_cast<int>(asked.points));
}

CALL(signed_fractions) {
    Asked asked(buffers, dims, params);
    sample_fractions<<<blocks(asked.points), block>>>(asked.make<short2>(), asked.at, static_cast<float4*>(buffers[2]),
                                                      static_cast<int>(asked.points));
}

CALL(integers) {
    Asked asked(buffers, dims, params);
    sample_bytes<<<blocks(asked.points), block>>>(asked.make<char4>(), asked.at, static_cast<int4*>(buffers[2]),
                                                  static_cast<int>(asked.points));
}

/// Rows of memory, with `height` of them in an allocation.
CALL(rows) {
    Asked asked(buffers, dims, params);
    void* rows = nullptr;
    std::size_t pitch = 0;
    const std::size_t bytes = asked.width * sizeof(float);
    cudaMallocPitch(&rows, &pitch, bytes, asked.height);
    cudaMemcpy2D(rows, pitch, asked.elements, bytes, bytes, asked.height, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), asked.width, asked.height, pitch};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &asked.texture, nullptr);
    sample_floats<<<blocks(asked.points), block>>>(texture, asked.at, static_cast<float*>(buffers[2]),
                                                   static_cast<int>(asked.points), 2, false);
}

/// dims: elements, points
CALL(linear) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {buffers[0], cudaCreateChannelDesc<short2>(),
                           static_cast<std::size_t>(dims[0]) * sizeof(short2)};
    const cudaTextureDesc description{};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    fetch<<<blocks(dims[1]), block>>>(texture, static_cast<const int*>(buffers[1]), static_cast<int*>(buffers[2]),
                                      static_cast<int>(dims[1]));
}

/// Buffers: a square of ushort4, the same turned, what is beyond; dims: its size.
CALL(quarter_turn) {
    const auto size = static_cast<std::size_t>(dims[0]);
    const std::size_t row = size * sizeof(ushort4);
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<ushort4>();
    cudaArray_t from = nullptr;
    cudaArray_t to = nullptr;
    cudaMallocArray(&from, &channels, size, size, cudaArraySurfaceLoadStore);
    cudaMallocArray(&to, &channels, size, size, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(from, 0, 0, buffers[0], row, row, size, cudaMemcpyDeviceToDevice);
    turn<<<static_cast<unsigned>(size), static_cast<unsigned>(size)>>>(
        surface_of(from), surface_of(to), static_cast<ushort4*>(buffers[2]), static_cast<int>(size));
    cudaMemcpy2DFromArray(buffers[1], row, to, 0, 0, row, size, cudaMemcpyDeviceToDevice);
}

/// dims: width, height, layers
CALL(layered_surface) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array = nullptr;
    cudaMalloc3DArray(&array, &channels,
                      make_cudaExtent(static_cast<std::size_t>(dims[0]), static_cast<std::size_t>(dims[1]),
                                      static_cast<std::size_t>(dims[2])),
                      cudaArrayLayered | cudaArraySurfaceLoadStore);
    layers<<<dim3(static_cast<unsigned>(dims[1]), static_cast<unsigned>(dims[2])), static_cast<unsigned>(dims[0])>>>(
        surface_of(array), static_cast<const unsigned char*>(buffers[0]), static_cast<unsigned char*>(buffers[1]),
        static_cast<int>(dims[0]), static_cast<int>(dims[1]), static_cast<int>(dims[2]));
}

/// dims: elements, where one is written
CALL(beyond_a_surface) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &channels, static_cast<std::size_t>(dims[0]), 0, cudaArraySurfaceLoadStore);
    write_at<<<1, 1>>>(surface_of(array), static_cast<int>(dims[1]));
}
