# CUDABENCH_ARCHITECTURE: the one architecture that candidates and kernels of the harness are compiled for,
# e.g. 80 or 90a. Default: the visible GPU's, else 90.
include_guard(GLOBAL)
if(NOT CUDABENCH_ARCHITECTURE)
    set(_cudabench_architecture 90)
    find_program(CUDABENCH_NVIDIA_SMI nvidia-smi)
    if(CUDABENCH_NVIDIA_SMI)
        execute_process(COMMAND "${CUDABENCH_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
                        OUTPUT_VARIABLE _cudabench_capability RESULT_VARIABLE _cudabench_result
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(_cudabench_result EQUAL 0 AND _cudabench_capability MATCHES "^([0-9]+)\\.([0-9])")
            set(_cudabench_architecture "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
            if(_cudabench_architecture EQUAL 90)
                set(_cudabench_architecture 90a)
            endif()
        endif()
    endif()
    set(CUDABENCH_ARCHITECTURE "${_cudabench_architecture}" CACHE STRING "GPU architecture, e.g. 80 or 90a")
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "${CUDABENCH_ARCHITECTURE}")
endif()
