# Finds the CUDA toolkit: the targets CUDA::*, with CUDA::toolkit among them if it is there.
# CMake 3.25 marks the target CUDA::nvToolsExt as deprecated without looking whether it exists, for projects that ask for
# CMake 3.25; CUDA 13 has no such library.
set(_cudabench_minimum "${CMAKE_MINIMUM_REQUIRED_VERSION}")
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit 13.0 QUIET)
set(CMAKE_MINIMUM_REQUIRED_VERSION "${_cudabench_minimum}")
