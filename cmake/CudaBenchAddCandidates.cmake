# cudabench_add_candidates(<name> [DIRECTORY d | FILES f... [TASK t]] [TASKS t...] [SCALES s...]
#                          [INCLUDE_DIRECTORIES d...] [COMPILE_OPTIONS o...])
# makes a suite of CTest tests that grades candidates, and the target <name> that builds it. DIRECTORY is searched for
# <task>[@<scale>][.s<k>].cu, again whenever files come or go. A candidate can include files of its own folder, of the
# CUDA toolkit, of the system and of INCLUDE_DIRECTORIES, and no others.
# Results go to <build>/cudabench/<name>/results/. Build with `-k 0` (make: `-k`): candidates that do not compile then do
# not stop the others.
include_guard(GLOBAL)
include(CudaBenchCandidateTargets)

set(CUDABENCH_COMPILE_FAILURE build_error CACHE STRING "A candidate that does not compile fails the build, or is only recorded")
set_property(CACHE CUDABENCH_COMPILE_FAILURE PROPERTY STRINGS build_error record)
set(CUDABENCH_SHARD "" CACHE STRING "Only a part of the candidates: 2/4 is the second of four")
set(CUDABENCH_COMPILE_DEADLINE 600 CACHE STRING "Seconds that the compilation of one candidate may take")

function(cudabench_add_candidates name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY;TASK" "FILES;TASKS;SCALES;INCLUDE_DIRECTORIES;COMPILE_OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "cudabench_add_candidates(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT name MATCHES "^[A-Za-z0-9_]+$")
        message(FATAL_ERROR "cudabench_add_candidates(${name}): a name is made of letters, digits and underscores")
    endif()
    if(TARGET ${name})
        message(FATAL_ERROR "cudabench_add_candidates(${name}): there is a target of this name already")
    endif()
    if(NOT arg_DIRECTORY AND NOT arg_FILES OR arg_DIRECTORY AND arg_FILES)
        message(FATAL_ERROR "cudabench_add_candidates(${name}): give either DIRECTORY or FILES")
    endif()
    if(NOT CUDABENCH_COMPILE_FAILURE MATCHES "^(build_error|record)$")
        message(FATAL_ERROR "CUDABENCH_COMPILE_FAILURE is ${CUDABENCH_COMPILE_FAILURE}: must be build_error or record")
    endif()

    set(_cudabench_suite ${name})
    set(_cudabench_folder "${CMAKE_BINARY_DIR}/cudabench/${name}")
    set(_cudabench_shared "${CMAKE_BINARY_DIR}/cudabench_tasks")
    set(_cudabench_include_directories)
    foreach(directory IN LISTS arg_INCLUDE_DIRECTORIES)
        cmake_path(ABSOLUTE_PATH directory NORMALIZE)
        list(APPEND _cudabench_include_directories "${directory}")
    endforeach()
    set(_cudabench_compile_options ${arg_COMPILE_OPTIONS})

    if(arg_DIRECTORY)
        cmake_path(ABSOLUTE_PATH arg_DIRECTORY NORMALIZE)
        string(REPLACE "[" "[[]" pattern "${arg_DIRECTORY}")
        file(GLOB_RECURSE ignored CONFIGURE_DEPENDS "${pattern}/*.cu")
        file(GLOB_RECURSE listings CONFIGURE_DEPENDS "${pattern}/candidates.json")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${listings})
        set(what --directory "${arg_DIRECTORY}")
    else()
        set(what --files)
        foreach(file IN LISTS arg_FILES)
            cmake_path(ABSOLUTE_PATH file NORMALIZE)
            list(APPEND what "${file}")
        endforeach()
    endif()
    if(arg_TASK)
        list(APPEND what --task "${arg_TASK}")
    endif()
    if(CUDABENCH_SHARD)
        list(APPEND what --shard "${CUDABENCH_SHARD}")
    endif()
    _cudabench_generate(${what} --task-filter ${arg_TASKS} --scales ${arg_SCALES})

    add_custom_target(${name})
    add_subdirectory("${_cudabench_folder}/targets" "${_cudabench_folder}/build")
endfunction()

# Runs the generator; again when a task, a reference or the generator itself changes.
function(_cudabench_generate)
    set(root "${cudabench_SOURCE_DIR}")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${root}/tools" PYTHONDONTWRITEBYTECODE=1
                "${Python3_EXECUTABLE}" -m generator.cases --name "${_cudabench_suite}" ${ARGN} --tasks "${root}/tasks"
                --output "${_cudabench_folder}" --shared "${_cudabench_shared}" --build-root "${CMAKE_BINARY_DIR}"
                --recorder "${cudabench_BINARY_DIR}/bin/cudabench_recorder"
        RESULT_VARIABLE status OUTPUT_VARIABLE count ERROR_VARIABLE message OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "cudabench_add_candidates(${_cudabench_suite}):\n${message}")
    endif()
    message(STATUS "CUDABench: ${count} cases in ${_cudabench_suite}")
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${root}/tasks/*.toml" "${root}/references/*.cu" "${root}/references/*.py"
         "${root}/tools/generator/*.py" "${root}/tools/generator/*.j2")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
endfunction()
