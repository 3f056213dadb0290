# Finds nvcc before project() does, so that one that is not on PATH is found and a missing one is explained.
include_guard(GLOBAL)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(CUDABENCH_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(NOT CUDABENCH_NVCC)
        message(FATAL_ERROR "nvcc not found. Install the CUDA toolkit 13.0 or newer "
                            "(apt-get install cuda-toolkit-13-0 from NVIDIA's package repository), "
                            "or set CUDACXX to the path of nvcc.")
    endif()
    set(CMAKE_CUDA_COMPILER "${CUDABENCH_NVCC}")
endif()
