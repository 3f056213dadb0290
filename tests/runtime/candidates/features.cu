// One function for each part of the CUDA runtime; each sets output[i] = 2 * input[i] + 1 for i < dims[0] = 4096, by way
// of that part.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cstdint>
#include <cstring>

#define CALL(name)                                                                                                     \
    extern "C" __attribute__((visibility("default"))) void name(void* const* buffers, const long long* dims,           \
                                                                const double*)
#define USE                                                                                                            \
    const float* in = static_cast<const float*>(buffers[0]);                                                           \
    float* out = static_cast<float*>(buffers[1]);                                                                      \
    const int n = static_cast<int>(dims[0]);                                                                           \
    (void)in, (void)out, (void)n

namespace cg = cooperative_groups;

constexpr int block = 256;

__global__ void linear(const float* x, float* y, int n, float a, float b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + b;
}

__global__ void linear_by(const float* x, float* y, int n, const float* coefficients) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = coefficients[0] * x[i] + coefficients[1];
}

// Reverses the block's part by way of more shared memory than a block has by default.
__global__ void through_shared(const float* x, float* y, int n) {
    extern __shared__ float far[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    far[20'000 + threadIdx.x] = i < n ? x[i] : 0.0F;
    __syncthreads();
    if (i < n)
        y[i] = 2 * far[20'000 + threadIdx.x] + 1;
}

CALL(large_shared_memory) {
    USE;
    constexpr int bytes = 100 * 1024;
    if (cudaFuncSetAttribute(through_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess)
        through_shared<<<n / block, block, bytes>>>(in, out, n);
}

CALL(pools) {
    USE;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    std::uint64_t threshold = ~std::uint64_t{0};
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    std::uint64_t back = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back);
    float* twice = nullptr;
    float* copy = nullptr;
    cudaMallocAsync(&twice, n * sizeof(float), stream);
    cudaMallocFromPoolAsync(&copy, n * sizeof(float), pool, stream);
    cudaMemcpyAsync(copy, in, n * sizeof(float), cudaMemcpyDefault, stream);
    linear<<<n / block, block, 0, stream>>>(copy, twice, n, 2, back == threshold ? 1 : 0);
    cudaMemcpyAsync(out, twice, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(copy, stream);
    cudaFreeAsync(twice, stream);
    cudaStreamSynchronize(stream);
}

CALL(copies_in_three_dimensions) {
    USE;
    const cudaExtent extent = make_cudaExtent(16 * sizeof(float), 16, 16);
    cudaPitchedPtr volume{};
    cudaMalloc3D(&volume, extent);
    cudaMemset3D(volume, 0, extent);
    cudaMemcpy3DParms up{};
    up.srcPtr = make_cudaPitchedPtr(const_cast<float*>(in), 16 * sizeof(float), 16, 16);
    up.dstPtr = volume;
    up.extent = extent;
    up.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&up);
    cudaMemcpy3DParms down{};
    down.srcPtr = volume;
    down.dstPtr = make_cudaPitchedPtr(out, 16 * sizeof(float), 16, 16);
    down.extent = make_cudaExtent(16 * sizeof(float), 16, 8); // and the other half with a position
    down.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&down);
    down.srcPos = down.dstPos = make_cudaPos(0, 0, 8);
    cudaMemcpy3DAsync(&down);
    linear<<<n / block, block>>>(out, out, n, 2, 1);
    cudaFree(volume.ptr);
}

__device__ float stored[2];
__managed__ float managed_coefficients[2];
__managed__ int managed_count = 7;

CALL(symbol_address) {
    USE;
    void* address = nullptr;
    cudaGetSymbolAddress(&address, stored);
    const float values[2] = {2, 1};
    cudaMemcpy(address, values, sizeof values, cudaMemcpyHostToDevice);
    linear_by<<<n / block, block>>>(in, out, n, static_cast<const float*>(address));
}

CALL(host_function) {
    USE;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    float factor = 0;
    cudaLaunchHostFunc(
        stream, [](void* data) { *static_cast<float*>(data) = 1; }, &factor);
    cudaStreamAddCallback(
        stream, [](cudaStream_t, cudaError_t, void* data) { *static_cast<float*>(data) *= 2; }, &factor, 0);
    cudaStreamSynchronize(stream);
    linear<<<n / block, block, 0, stream>>>(in, out, n, factor, 1);
    cudaStreamSynchronize(stream);
}

CALL(event_times) {
    USE;
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start);
    linear<<<n / block, block>>>(in, out, n, 2, 0);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, end);
    linear<<<n / block, block>>>(in, out, n, 2, milliseconds > 0 ? 1 : 0);
}

__global__ void count_up(float* value) {
    *value += 1;
}

CALL(managed) {
    USE;
    float* shared = nullptr;
    cudaMallocManaged(&shared, 1 << 20);
    cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    cudaMemAdvise(shared, 1 << 20, cudaMemAdviseSetPreferredLocation, device);
    shared[0] = 1;
    cudaMemPrefetchAsync(shared, 1 << 20, device, 0, nullptr);
    count_up<<<1, 1>>>(shared);
    cudaDeviceSynchronize();
    shared[1] = shared[0] - 1; // what the kernel wrote, brought back
    linear_by<<<n / block, block>>>(in, out, n, shared);
    cudaDeviceSynchronize();
    cudaFree(shared);
}

CALL(managed_without_looking) {
    USE;
    float* shared = nullptr;
    cudaMallocManaged(&shared, n * sizeof(float));
    for (int i = 0; i < n; ++i)
        shared[i] = static_cast<float>(i % 2 + 1);
    linear_by<<<n / block, block>>>(in, out, n, shared + 1); // 2, 1
    cudaDeviceSynchronize();
}

CALL(managed_variables) {
    USE;
    managed_coefficients[0] = 2;
    managed_coefficients[1] = static_cast<float>(managed_count - 6);
    linear_by<<<n / block, block>>>(in, out, n, managed_coefficients);
    cudaDeviceSynchronize();
}

CALL(zero_copy) {
    USE;
    float* host = nullptr;
    cudaHostAlloc(&host, 1 << 16, cudaHostAllocMapped);
    float* device = nullptr;
    cudaHostGetDevicePointer(&device, host, 0);
    host[0] = 2;
    host[1] = 0;
    count_up<<<1, 1>>>(device + 1);
    cudaDeviceSynchronize();
    linear<<<n / block, block>>>(in, out, n, host[0], host[1]);
    cudaFreeHost(host);
}

CALL(pinned_by_its_pointer) {
    USE;
    float* host = nullptr;
    cudaMallocHost(&host, 2 * sizeof(float));
    host[0] = 2;
    host[1] = 1;
    linear_by<<<n / block, block>>>(in, out, n, host);
    cudaDeviceSynchronize();
}

CALL(pinned_staging) {
    USE;
    float* host = nullptr;
    cudaMallocHost(&host, n * sizeof(float));
    cudaMemcpyAsync(host, in, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        host[i] = 2 * host[i] + 1;
    cudaMemcpy(out, host, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFreeHost(host);
}

// Each block reads what its neighbour in the cluster has put into shared memory.
__global__ void through_cluster(const float* x, float* y, int n) {
    __shared__ float part[block];
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    const unsigned other = cluster.num_blocks() - 1 - rank;
    const int first = (static_cast<int>(blockIdx.x) - static_cast<int>(rank) + static_cast<int>(other)) * block;
    part[threadIdx.x] = 2 * x[first + threadIdx.x] + 1;
    cluster.sync();
    const float* theirs = cluster.map_shared_rank(part, other);
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n && cluster.num_blocks() > 1)
        y[i] = theirs[threadIdx.x];
    cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) through_declared_cluster(const float* x, float* y, int n) {
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + static_cast<float>(cg::this_cluster().num_blocks() - 1);
}

CALL(clusters) {
    USE;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {4, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(n / block);
    config.blockDim = dim3(block);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, through_cluster, in, out, n);
}

CALL(declared_clusters) {
    USE;
    through_declared_cluster<<<n / block, block>>>(in, out, n);
}

CALL(large_clusters) {
    USE;
    cudaFuncSetAttribute(through_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {16, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(n / block);
    config.blockDim = dim3(block);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    if (cudaOccupancyMaxActiveClusters(&clusters, through_cluster, &config) == cudaSuccess && clusters > 0)
        cudaLaunchKernelEx(&config, through_cluster, in, out, n);
}

__global__ void after_its_predecessor(const float* x, float* y, int n) {
    cudaGridDependencySynchronize();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] + 1;
}

CALL(programmatic_launch) {
    USE;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    linear<<<n / block, block, 0, stream>>>(in, out, n, 2, 0);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(n / block);
    config.blockDim = dim3(block);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const float* written = out;
    cudaLaunchKernelEx(&config, after_its_predecessor, written, out, n);
    cudaStreamSynchronize(stream);
}

__global__ void in_two_steps(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[n - 1 - i] = 2 * x[n - 1 - i];
    cg::this_grid().sync();
    if (i < n)
        y[i] += 1;
}

CALL(cooperative_grid) {
    USE;
    int count = n;
    void* arguments[] = {&in, &out, &count};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(in_two_steps), dim3(n / block), dim3(block), arguments);
}

__global__ void from_texture(cudaTextureObject_t texture, float* y, int width, int height, bool linear) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (x < width && row < height)
        y[row * width + x] =
            2 * (linear ? tex1Dfetch<float>(texture, row * width + x) : tex2D<float>(texture, x + 0.5F, row + 0.5F)) +
            1;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

CALL(texture_of_an_array) {
    USE;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &channels, 64, 64);
    cudaMemcpy2DToArray(array, 0, 0, in, 64 * sizeof(float), 64 * sizeof(float), 64, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureObject_t texture = texture_of(resource);
    from_texture<<<dim3(1, 64), 64>>>(texture, out, 64, 64, false);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

CALL(texture_of_memory) {
    USE;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<float*>(in);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = n * sizeof(float);
    from_texture<<<dim3(1, 64), 64>>>(texture_of(resource), out, 64, 64, true);
}

CALL(texture_of_rows) {
    USE;
    float* rows = nullptr;
    std::size_t pitch = 0;
    cudaMallocPitch(&rows, &pitch, 64 * sizeof(float), 64);
    cudaMemcpy2D(rows, pitch, in, 64 * sizeof(float), 64 * sizeof(float), 64, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 64;
    resource.res.pitch2D.height = 64;
    resource.res.pitch2D.pitchInBytes = pitch;
    from_texture<<<dim3(1, 64), 64>>>(texture_of(resource), out, 64, 64, false);
}

__global__ void to_surface(const float* x, cudaSurfaceObject_t surface) {
    surf3Dwrite(2 * x[(blockIdx.y * 16 + blockIdx.x) * 16 + threadIdx.x] + 1, surface,
                threadIdx.x * static_cast<int>(sizeof(float)), blockIdx.x, blockIdx.y);
}

CALL(surface_of_a_volume) {
    USE;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &channels, make_cudaExtent(16, 16, 16), cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    to_surface<<<dim3(16, 16), 16>>>(in, surface);
    cudaMemcpy3DParms down{};
    down.srcArray = array;
    down.dstPtr = make_cudaPitchedPtr(out, 16 * sizeof(float), 16, 16);
    down.extent = make_cudaExtent(16, 16, 16);
    down.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&down);
    cudaDestroySurfaceObject(surface);
}

// Two branches, of which each launch adds 1/4 to its half: launched four times.
CALL(captured_graph) {
    USE;
    const int half = n / 2;
    cudaStream_t stream, branch;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&branch);
    cudaEvent_t fork, join;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    linear<<<n / block, block, 0, stream>>>(in, out, n, 2, 0);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(branch, fork, 0);
    linear<<<half / block, block, 0, stream>>>(out, out, half, 1, 0.25F);
    linear<<<half / block, block, 0, branch>>>(out + half, out + half, half, 1, 0.25F);
    cudaEventRecord(join, branch);
    cudaStreamWaitEvent(stream, join, 0);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 4; ++i)
        cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

// Its memory is freed outside between the launches.
CALL(graph_with_memory) {
    USE;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    float* twice = nullptr;
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&twice, n * sizeof(float), stream);
    linear<<<n / block, block, 0, stream>>>(in, twice, n, 2, 0);
    cudaStreamEndCapture(stream, &graph);
    std::size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 2; ++i) {
        cudaGraphLaunch(executable, stream);
        linear<<<n / block, block, 0, stream>>>(twice, out, n, 1, nodes == 2 ? 1 : 0);
        cudaFreeAsync(twice, stream);
    }
    cudaStreamSynchronize(stream);
}

CALL(graph_by_hand) {
    USE;
    float* copy = nullptr;
    cudaMalloc(&copy, n * sizeof(float));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t kernel, copying, clearing;
    float a = 2, b = 1;
    int count = n;
    void* arguments[] = {&copy, &out, &count, &a, &b};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(linear);
    params.gridDim = dim3(n / block);
    params.blockDim = dim3(block);
    params.kernelParams = arguments;
    cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &params); // first in order of calls, last by its dependencies
    cudaGraphAddMemcpyNode1D(&copying, graph, nullptr, 0, copy, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaMemsetParams fill{};
    fill.dst = copy;
    fill.elementSize = 4;
    fill.width = n;
    fill.height = 1;
    cudaGraphAddMemsetNode(&clearing, graph, nullptr, 0, &fill);
    cudaGraphAddDependencies(graph, &copying, &kernel, nullptr, 1);
    cudaGraphAddDependencies(graph, &clearing, &copying, nullptr, 1);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, nullptr);
    b = 1;
    a = 2;
    cudaGraphExecKernelNodeSetParams(executable, kernel, &params);
    cudaGraphLaunch(executable, nullptr);
    cudaDeviceSynchronize();
}

// One row of 64 elements a block, loaded by the tensor memory accelerator.
__global__ void through_tensor_map(const __grid_constant__ CUtensorMap map, float* y) {
    __shared__ alignas(128) float row[64];
    __shared__ alignas(8) std::uint64_t barrier;
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
    const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
            "[%4];" ::"r"(to),
            "l"(&map), "r"(0), "r"(static_cast<int>(blockIdx.x)), "r"(at)
            : "memory");
    }
    __syncthreads();
    std::uint32_t done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
    y[blockIdx.x * 64 + threadIdx.x] = 2 * row[threadIdx.x] + 1;
}

static CUresult encode_rows(decltype(&cuTensorMapEncodeTiled) encode, CUtensorMap* map, const float* in) {
    const cuuint64_t sizes[2] = {64, 64};
    const cuuint64_t strides[1] = {64 * sizeof(float)};
    const cuuint32_t box[2] = {64, 1};
    const cuuint32_t steps[2] = {1, 1};
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(in), sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

CALL(tensor_map) {
    USE;
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    CUtensorMap map{};
    if (encode_rows(reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function), &map, in) == CUDA_SUCCESS)
        through_tensor_map<<<64, 64>>>(map, out);
}

CALL(tensor_map_by_name) {
    USE;
    CUtensorMap map{};
    if (encode_rows(cuTensorMapEncodeTiled, &map, in) == CUDA_SUCCESS)
        through_tensor_map<<<64, 64>>>(map, out);
}
