# cudabench_add_grading() makes what `cudabench grade` needs to grade single sources without CMake: the tasks as JSON, their
# contracts, the targets cudabench_reference_<task>, and a probe that is built as candidates are, so that the commands of
# its compile record are those of every candidate. The target cudabench_grading builds it all.
include_guard(GLOBAL)
include(CudaBenchCandidateTargets)

function(cudabench_add_grading)
    set(root "${cudabench_SOURCE_DIR}")
    set(_cudabench_shared "${CMAKE_BINARY_DIR}/cudabench_tasks")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${root}/tools" PYTHONDONTWRITEBYTECODE=1
                "${Python3_EXECUTABLE}" -m generator.grading --tasks "${root}/tasks" --output "${_cudabench_shared}"
        RESULT_VARIABLE status ERROR_VARIABLE message)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "cudabench_add_grading():\n${message}")
    endif()
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${root}/tasks/*.toml" "${root}/references/*.cu" "${root}/references/*.py"
         "${root}/tools/generator/*.py" "${root}/tools/generator/*.j2")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})

    set(_cudabench_suite cudabench_grading)
    set(_cudabench_include_directories)
    set(_cudabench_compile_options)
    add_custom_target(cudabench_grading)
    add_subdirectory("${_cudabench_shared}/targets" "${_cudabench_shared}/build" EXCLUDE_FROM_ALL)
    add_custom_target(cudabench_grading_tools)
    add_dependencies(cudabench_grading_tools cudabench_worker cudabench_examiner cudabench_recorder_process cudabench-compile cudabench_probe)
    add_dependencies(cudabench_grading cudabench_grading_tools)
endfunction()

# A candidate that no one grades.
function(_cudabench_probe source)
    _cudabench_module(cudabench_probe probe SOURCE "${source}" WRAPPER "${source}" OUTPUT "${_cudabench_shared}/probe"
                      RECORD "${_cudabench_shared}/compile/cudabench_probe.json" MODE build_error)
endfunction()
