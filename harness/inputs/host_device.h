#pragma once

/// Marks a function that the harness's kernels share with its host code.
#ifdef __CUDACC__
#define CUDABENCH_HOST_DEVICE __host__ __device__
#else
#define CUDABENCH_HOST_DEVICE
#endif
