# Where the parts are that cudabench_add_candidates() and cudabench_add_grading() use, seen from any directory: those of a
# build tree, or of an installation. ROOT has tasks/, references/ and tools/; BIN has cudabench-compile and
# cudabench_recorder; PYTHON runs the generator.
include_guard(GLOBAL)

function(cudabench_places)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "ROOT;BIN;PYTHON" "")
    foreach(place IN ITEMS ROOT BIN PYTHON)
        set(CUDABENCH_${place} "${arg_${place}}" CACHE INTERNAL "Set by CUDABench")
    endforeach()
endfunction()
