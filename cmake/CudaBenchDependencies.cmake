# GoogleTest, fmt, nlohmann_json, the CUDA toolkit and Python with Jinja2: what is installed first, then a fetch of a
# pinned version. Everything that is missing is reported at once, with the command that installs it.
include_guard(GLOBAL)
include(FetchContent)

set(CUDABENCH_FETCH ON CACHE BOOL "Fetch C++ libraries that are not installed")
set(_cudabench_missing)
set(_cudabench_fetched)
set(_cudabench_packages)

function(_cudabench_reachable repository tag result)
    find_program(CUDABENCH_GIT git)
    set(status 1)
    if(CUDABENCH_FETCH AND CUDABENCH_GIT AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0 "${CUDABENCH_GIT}" ls-remote --exit-code --tags "${repository}" "${tag}"
                        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET TIMEOUT 20)
    endif()
    if(status EQUAL 0)
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

# _cudabench_library(<package> <minimum> TARGET t REPOSITORY r TAG t DEBIAN p). A macro: find_package defines imported
# targets and variables in the caller's scope.
macro(_cudabench_library package minimum)
    cmake_parse_arguments(_library "" "TARGET;REPOSITORY;TAG;DEBIAN" "" ${ARGN})
    if(NOT TARGET ${_library_TARGET})
        find_package(${package} ${minimum} QUIET)
    endif()
    if(NOT TARGET ${_library_TARGET})
        _cudabench_reachable("${_library_REPOSITORY}" "${_library_TAG}" _library_reachable)
        if(_library_reachable)
            message(STATUS "${package} is not installed (Debian: ${_library_DEBIAN}); fetching ${_library_TAG}")
            FetchContent_Declare(${package} GIT_REPOSITORY "${_library_REPOSITORY}" GIT_TAG "${_library_TAG}" GIT_SHALLOW ON SYSTEM)
            FetchContent_MakeAvailable(${package})
            list(APPEND _cudabench_fetched ${package})
        endif()
    endif()
    if(NOT TARGET ${_library_TARGET})
        list(APPEND _cudabench_missing "${package} ${minimum} or newer (target ${_library_TARGET}): Debian package ${_library_DEBIAN}")
        list(APPEND _cudabench_packages ${_library_DEBIAN})
    endif()
endmacro()

set(INSTALL_GTEST OFF)
set(JSON_BuildTests OFF)
_cudabench_library(GTest 1.12 TARGET GTest::gtest DEBIAN libgtest-dev
                   REPOSITORY https://github.com/google/googletest.git TAG v1.14.0)
if(CUDABENCH_BUILD_TESTS AND TARGET GTest::gtest AND NOT TARGET GTest::gmock)
    list(APPEND _cudabench_missing "GoogleMock (target GTest::gmock), for the tests: Debian package libgmock-dev")
    list(APPEND _cudabench_packages libgmock-dev)
endif()
_cudabench_library(fmt 9 TARGET fmt::fmt DEBIAN libfmt-dev
                   REPOSITORY https://github.com/fmtlib/fmt.git TAG 9.1.0)
_cudabench_library(nlohmann_json 3.11 TARGET nlohmann_json::nlohmann_json DEBIAN nlohmann-json3-dev
                   REPOSITORY https://github.com/nlohmann/json.git TAG v3.11.3)

find_package(Threads REQUIRED)
include("${CMAKE_CURRENT_LIST_DIR}/CudaBenchToolkit.cmake")
if(NOT TARGET CUDA::toolkit)
    list(APPEND _cudabench_missing "CUDA toolkit 13.0 or newer: package cuda-toolkit-13-0 of NVIDIA's repository")
endif()

# CUPTI's headers only: the library is loaded at run time, where there is one.
if(TARGET CUDA::toolkit)
    cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH CUDABENCH_TOOLKIT)
    find_path(CUDABENCH_CUPTI_INCLUDE_DIR cupti_range_profiler.h
              HINTS ${CUDAToolkit_INCLUDE_DIRS} "${CUDABENCH_TOOLKIT}/extras/CUPTI/include")
    mark_as_advanced(CUDABENCH_CUPTI_INCLUDE_DIR)
    if(NOT CUDABENCH_CUPTI_INCLUDE_DIR)
        list(APPEND _cudabench_missing "CUPTI of the CUDA toolkit (cupti_range_profiler.h): package cuda-cupti-dev-13-0 of NVIDIA's repository")
    endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/CudaBenchPython.cmake")
if(_cudabench_python_missing)
    list(APPEND _cudabench_missing "${_cudabench_python_missing}")
    list(APPEND _cudabench_packages python3 python3-jinja2)
endif()

if(_cudabench_missing)
    list(JOIN _cudabench_missing "\n  " _cudabench_missing)
    list(JOIN _cudabench_packages " " _cudabench_packages)
    message(FATAL_ERROR "CUDABench needs what is not installed here:\n  ${_cudabench_missing}\n"
                        "On Debian and Ubuntu: apt-get install ${_cudabench_packages}")
endif()
