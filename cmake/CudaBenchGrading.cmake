# cudabench_add_grading() makes what `cudabench grade` needs to grade single sources without CMake: the tasks as JSON, their
# contracts, the targets cudabench_reference_<task>, and a probe that is built as candidates are, so that the commands of
# its compile record are those of every candidate. The target cudabench_grading builds it all.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/CudaBenchAddTasks.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CudaBenchCandidateTargets.cmake")

function(cudabench_add_grading)
    set(_cudabench_shared "${CMAKE_BINARY_DIR}/cudabench_tasks")
    _cudabench_task_arguments(tasks)
    _cudabench_run_generator("cudabench_add_grading()" generator.grading ${tasks} --output "${_cudabench_shared}")

    set(_cudabench_suite cudabench_grading)
    add_custom_target(cudabench_grading)
    add_subdirectory("${_cudabench_shared}/targets" "${_cudabench_shared}/build" EXCLUDE_FROM_ALL)
    add_custom_target(cudabench_grading_tools)
    add_dependencies(cudabench_grading_tools cudabench_worker cudabench_examiner cudabench_recorder_process cudabench-compile cudabench_probe)
    add_dependencies(cudabench_grading cudabench_grading_tools)
endfunction()

# A candidate that no one grades.
function(_cudabench_probe source)
    _cudabench_own_module(cudabench_probe probe "${source}" "${source}" "${_cudabench_shared}/probe" cudabench_probe)
endfunction()
