// The names that host code calls when compiled with --default-stream per-thread: the same functions, whose default
// stream is the calling thread's own.
#include "runtime/api.h"

// The copies to arrays are deprecated, and supported.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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

cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    return cudaMemset3DAsync(to, value, extent, own(stream));
}

cudaError_t cudaMemset3D_ptds(cudaPitchedPtr to, int value, cudaExtent extent) {
    return cudaMemset3DAsync(to, value, extent, cudaStreamPerThread);
}

cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* params, cudaStream_t stream) {
    return cudaMemcpy3DAsync(params, own(stream));
}

cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* params) {
    return waited(cudaMemcpy3DAsync(params, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                          size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, own(stream));
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
    return waited(cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                            size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, own(stream));
}

cudaError_t cudaMemcpy2DFromArray_ptds(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind) {
    return waited(cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                      cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, location, flags, own(stream));
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(pointer, bytes, pool, own(stream));
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return cudaLaunchHostFunc(own(stream), function, data);
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
    return cudaStreamAddCallback(own(stream), callback, data, flags);
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* pointer, size_t bytes, unsigned flags) {
    return cudaStreamAttachMemAsync(own(stream), pointer, bytes, flags);
}

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return cudaStreamBeginCapture(own(stream), mode);
}

cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
    return cudaStreamEndCapture(own(stream), graph);
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamIsCapturing(own(stream), status);
}

cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t graph, cudaStream_t stream) {
    return cudaGraphLaunch(graph, own(stream));
}

cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t graph, cudaStream_t stream) {
    return cudaGraphUpload(graph, own(stream));
}

cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* number) {
    return cudaStreamGetId(own(stream), number);
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int* device) {
    return cudaStreamGetDevice(own(stream), device);
}

cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute,
                                        const cudaStreamAttrValue* value) {
    return cudaStreamSetAttribute(own(stream), attribute, value);
}

cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
    return cudaStreamGetAttribute(own(stream), attribute, value);
}

cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
    return cudaStreamCopyAttributes(own(to), own(from));
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* name, void** function, unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* result) {
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** function, unsigned version,
                                                  unsigned long long flags, cudaDriverEntryPointQueryResult* result) {
    return cudaGetDriverEntryPointByVersion(name, function, version, flags, result);
}

cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                cudaGraphInstantiateParams* params) {
    return cudaGraphInstantiateWithParams(executable, graph, params);
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind) {
    return waited(cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, own(stream));
}

} // extern "C"

#pragma GCC visibility pop
