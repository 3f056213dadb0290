#pragma once

/// The CUDA runtime's declarations, exported from the library that is otherwise hidden. What is declared here for
/// `__cuda*` is what nvcc's host code calls and no header declares for others.
#pragma GCC visibility push(default)
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are nvcc's
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size, dim3* grid_size,
                            int* warp_size);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** host_variable, char* device_address, const char* device_name,
                              int external, size_t size, int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream);
}
// NOLINTEND(bugprone-reserved-identifier)
#pragma GCC visibility pop
