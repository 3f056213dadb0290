// The names that host code calls when compiled with --default-stream per-thread: the same functions, whose default
// stream is the calling thread's own.
#include "runtime/api.h"

#pragma GCC visibility push(default)

namespace {

cudaStream_t own(cudaStream_t stream) {
    return stream ? stream : cudaStreamPerThread;
}

/// A function without a stream waits for its work.
cudaError_t waited(cudaError_t error) {
    return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

} // namespace

extern "C" {

cudaError_t cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                  cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, own(stream));
}

// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is nvcc's
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                    cudaStream_t stream) {
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, own(stream));
}

cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments,
                                             size_t shared_bytes, cudaStream_t stream) {
    return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, own(stream));
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (!config)
        return cudaLaunchKernelExC(config, function, arguments);
    cudaLaunchConfig_t own_config = *config;
    own_config.stream = own(config->stream);
    return cudaLaunchKernelExC(&own_config, function, arguments);
}

cudaError_t cudaMallocAsync_ptsz(void** pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, own(stream));
}

cudaError_t cudaFreeAsync_ptsz(void* pointer, cudaStream_t stream) {
    return cudaFreeAsync(pointer, own(stream));
}

cudaError_t cudaMemcpy_ptds(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return waited(cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyAsync_ptsz(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, own(stream));
}

cudaError_t cudaMemcpy2D_ptds(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind) {
    return waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                   size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void* variable, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind) {
    return waited(cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* variable, const void* from, size_t bytes, size_t offset,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, own(stream));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void* to, const void* variable, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
    return waited(cudaMemcpyFromSymbolAsync(to, variable, bytes, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* variable, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyFromSymbolAsync(to, variable, bytes, offset, kind, own(stream));
}

cudaError_t cudaMemset_ptds(void* address, int value, size_t bytes) {
    return cudaMemsetAsync(address, value, bytes, cudaStreamPerThread);
}

cudaError_t cudaMemsetAsync_ptsz(void* address, int value, size_t bytes, cudaStream_t stream) {
    return cudaMemsetAsync(address, value, bytes, own(stream));
}

cudaError_t cudaMemset2D_ptds(void* address, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(address, pitch, value, width, height, cudaStreamPerThread);
}

cudaError_t cudaMemset2DAsync_ptsz(void* address, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream) {
    return cudaMemset2DAsync(address, pitch, value, width, height, own(stream));
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecord(event, own(stream));
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return cudaEventRecordWithFlags(event, own(stream), flags);
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
    return cudaStreamSynchronize(own(stream));
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) {
    return cudaStreamQuery(own(stream));
}

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned* flags) {
    return cudaStreamGetFlags(own(stream), flags);
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int* priority) {
    return cudaStreamGetPriority(own(stream), priority);
}

} // extern "C"

#pragma GCC visibility pop
