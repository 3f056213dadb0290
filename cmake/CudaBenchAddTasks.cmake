# cudabench_add_tasks(<set> DIRECTORY d): candidates of the suites that are added afterwards, anywhere in the project, may
# answer the tasks of a set of one's own. DIRECTORY holds it as CUDABench holds its own tasks:
#     tasks/<domain>/<task>.toml  references/<domain>/<task>.cu  references/oracles/<domain>.py
# Names of tasks are unique among all sets of a project and CUDABench's own.
include_guard(GLOBAL)

function(cudabench_add_tasks set)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "cudabench_add_tasks(${set}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT set MATCHES "^[A-Za-z0-9_]+$")
        message(FATAL_ERROR "cudabench_add_tasks(${set}): a name is made of letters, digits and underscores")
    endif()
    if(NOT arg_DIRECTORY)
        message(FATAL_ERROR "cudabench_add_tasks(${set}): DIRECTORY is missing")
    endif()
    cmake_path(ABSOLUTE_PATH arg_DIRECTORY NORMALIZE)
    get_property(directory GLOBAL PROPERTY CUDABENCH_TASK_SET_${set})
    if(directory AND NOT directory STREQUAL arg_DIRECTORY)
        message(FATAL_ERROR "cudabench_add_tasks(${set}): there is a set of this name already, in ${directory}")
    endif()
    if(NOT directory)
        set_property(GLOBAL PROPERTY CUDABENCH_TASK_SET_${set} "${arg_DIRECTORY}")
        set_property(GLOBAL APPEND PROPERTY CUDABENCH_TASK_SETS ${set})
    endif()
endfunction()

# The words that tell the generator of all tasks; CMake runs again when one of them or the generator changes.
function(_cudabench_task_arguments result)
    set(directories)
    get_property(sets GLOBAL PROPERTY CUDABENCH_TASK_SETS)
    foreach(set IN LISTS sets)
        get_property(directory GLOBAL PROPERTY CUDABENCH_TASK_SET_${set})
        list(APPEND directories "${directory}")
    endforeach()
    set(patterns "${CUDABENCH_ROOT}/tools/generator/*.py" "${CUDABENCH_ROOT}/tools/generator/*.j2")
    foreach(directory IN LISTS CUDABENCH_ROOT directories)
        list(APPEND patterns "${directory}/tasks/*.toml" "${directory}/references/*.cu" "${directory}/references/*.py")
    endforeach()
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${patterns})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
    set(${result} --tasks "${CUDABENCH_ROOT}/tasks" --task-sets ${directories} PARENT_SCOPE)
endfunction()

# _cudabench_run_generator(<caller> <module> <argument>...): what it prints is in _cudabench_printed.
function(_cudabench_run_generator caller module)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${CUDABENCH_ROOT}/tools" PYTHONDONTWRITEBYTECODE=1
                "${CUDABENCH_PYTHON}" -P -m ${module} ${ARGN}
        RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE message OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${caller}:\n${message}")
    endif()
    set(_cudabench_printed "${printed}" PARENT_SCOPE)
endfunction()
