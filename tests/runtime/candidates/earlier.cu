// As people wrote for CUDA 11 and 12.
extern "C" __attribute__((visibility("default"))) void cudabench_call(void* const* buffers, const long long*,
                                                                      const double*) {
    float* shared = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int device = 0;
    cudaGetDevice(&device);
    cudaMallocManaged(&shared, 4096);
    cudaMemAdvise(shared, 4096, cudaMemAdviseSetReadMostly, device);
    cudaMemPrefetchAsync(shared, 4096, device, stream);
    cudaMemPrefetchAsync(shared, 4096, cudaCpuDeviceId, 0);
    cudaMemPrefetchAsync(shared, 4096, device);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(buffers[1], 0, 16, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    cudaGraphLaunch(executable, stream);
    cudaThreadSynchronize();
}
