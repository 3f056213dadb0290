# Grades candidates and sends results, compilers' messages and measurements to a CDash server:
#   CDASH_URL=https://my.cdash.org/submit.php?project=kernels ctest -S docs/ci/cdash.cmake
# Environment: CUDABENCH_CANDIDATES (default: the examples), CUDABENCH_BUILD_DIR (default: build/cdash),
# CUDABENCH_JOBS (default: 1), CDASH_URL (default: nothing is sent, the files stay in Testing/ of the build tree).
cmake_minimum_required(VERSION 3.25)

function(from_environment variable name default)
    if(DEFINED ENV{${name}})
        set(default "$ENV{${name}}")
    endif()
    set(${variable} "${default}" PARENT_SCOPE)
endfunction()

cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
from_environment(CTEST_SOURCE_DIRECTORY CUDABENCH_SOURCE_DIR "${root}")
from_environment(CTEST_BINARY_DIRECTORY CUDABENCH_BUILD_DIR "${root}/build/cdash")
from_environment(candidates CUDABENCH_CANDIDATES "${root}/candidates/examples")
from_environment(jobs CUDABENCH_JOBS 1)
from_environment(CTEST_SUBMIT_URL CDASH_URL "")
cmake_host_system_information(RESULT CTEST_SITE QUERY HOSTNAME)
set(CTEST_BUILD_NAME "cudabench")
set(CTEST_CMAKE_GENERATOR "Ninja")
set(CTEST_CUSTOM_MAXIMUM_PASSED_TEST_OUTPUT_SIZE 10000)
set(CTEST_CUSTOM_MAXIMUM_FAILED_TEST_OUTPUT_SIZE 100000)

ctest_start(Experimental)
ctest_configure(OPTIONS "-DCUDABENCH_CANDIDATES=${candidates};-DCUDABENCH_COMPILE_FAILURE=record" RETURN_VALUE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "CMake could not configure ${CTEST_BINARY_DIRECTORY}")
endif()
ctest_build(FLAGS "-k 0" RETURN_VALUE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "the harness could not be built")
endif()
ctest_test(PARALLEL_LEVEL ${jobs} RETURN_VALUE ignored) # that candidates fail is a result
if(CTEST_SUBMIT_URL)
    ctest_submit(RETURN_VALUE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "nothing could be sent to ${CTEST_SUBMIT_URL}")
    endif()
endif()
