# What the generated targets/<task>/CMakeLists.txt call, in directories of their own below cudabench_add_candidates(),
# whose variables _cudabench_* they see.
include_guard(GLOBAL)

# At directory scope: candidates are optimised in every build type, by the same flags.
macro(_cudabench_candidate_flags)
    foreach(configuration IN ITEMS DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
        set(CMAKE_CUDA_FLAGS_${configuration} "-O3")
    endforeach()
    foreach(kind IN ITEMS INCLUDES OBJECTS LIBRARIES) # cudabench-compile grants access to what the command names
        set(CMAKE_CUDA_USE_RESPONSE_FILE_FOR_${kind} OFF)
    endforeach()
endmacro()

# Takes the options that make device code relocatable out of the list: CMake adds its own, and a device link. <result>: ON
# if there was one.
function(_cudabench_take_relocatable options result)
    set(before "${${options}}")
    set(after "${before}")
    list(REMOVE_ITEM after -rdc=true --relocatable-device-code=true -dc --device-c)
    set(${options} ${after} PARENT_SCOPE)
    if(after STREQUAL before)
        set(${result} OFF PARENT_SCOPE)
    else()
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

# _cudabench_module(<target> <id> SOURCE s WRAPPER w OUTPUT folder RECORD r MODE m): compiles the wrapper, which includes
# the source, to OUTPUT/<id>.so through cudabench-compile.
function(_cudabench_module target id)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "SOURCE;WRAPPER;OUTPUT;RECORD;MODE" "")
    add_library(${target} MODULE "${arg_WRAPPER}")
    set_target_properties(${target} PROPERTIES
        DEFINE_SYMBOL "" PREFIX "" OUTPUT_NAME "${id}" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT}"
        CUDA_ARCHITECTURES "${CUDABENCH_ARCHITECTURE}" CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
        CUDA_RUNTIME_LIBRARY None CUDA_SEPARABLE_COMPILATION OFF POSITION_INDEPENDENT_CODE ON
        BUILD_RPATH_USE_ORIGIN ON LINK_DEPENDS_NO_SHARED ON)
    _cudabench_take_relocatable(_cudabench_compile_options relocatable)
    if(relocatable)
        set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
        target_link_options(${target} PRIVATE $<DEVICE_LINK:--compress-mode=none>)
        target_link_libraries(${target} PRIVATE cudadevrt)
    endif()
    target_include_directories(${target} PRIVATE "${_cudabench_shared}/generated" ${_cudabench_include_directories})
    # Neither machine code nor PTX compressed: the recorder and the CPU executor read both.
    target_compile_options(${target} PRIVATE --compress-mode=none -Xptxas=-v ${_cudabench_compile_options})
    target_link_options(${target} PRIVATE LINKER:-z,defs)
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:cudabench_runtime>)

    # Compiler and linker are run by cudabench-compile. CMake knows no linker launcher for CUDA.
    set(launcher "${cudabench_BINARY_DIR}/bin/cudabench-compile" --record "${arg_RECORD}" --source "${arg_SOURCE}"
                 --mode ${arg_MODE} --deadline ${CUDABENCH_COMPILE_DEADLINE})
    set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${launcher};--")
    set(quoted)
    foreach(word IN LISTS launcher ITEMS --link --)
        string(REPLACE "'" "'\\''" word "${word}")
        string(APPEND quoted "'${word}' ")
    endforeach()
    set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK "${quoted}")
    add_dependencies(${target} cudabench-compile)
endfunction()

function(_cudabench_candidate id source)
    _cudabench_module(${_cudabench_suite}_${id} ${id} SOURCE "${source}" WRAPPER "${_cudabench_folder}/wrappers/${id}.cu"
                      OUTPUT "${_cudabench_folder}/modules" RECORD "${_cudabench_folder}/compile/${id}.json"
                      MODE ${CUDABENCH_COMPILE_FAILURE})
    add_dependencies(${_cudabench_suite} ${_cudabench_suite}_${id})
endfunction()

# The reference of a task, once a build tree: a candidate that is trusted.
function(_cudabench_reference task source)
    set(target cudabench_reference_${task})
    if(NOT TARGET ${target})
        set(_cudabench_include_directories)
        set(_cudabench_compile_options -DCUDABENCH_REFERENCE)
        _cudabench_module(${target} ${task} SOURCE "${source}" WRAPPER "${_cudabench_shared}/wrappers/${task}.cu"
                          OUTPUT "${_cudabench_shared}/references" RECORD "${_cudabench_shared}/compile/${task}.json"
                          MODE build_error)
        if(NOT TARGET cudabench_references)
            add_custom_target(cudabench_references)
        endif()
        add_dependencies(cudabench_references ${target})
    endif()
    add_dependencies(${_cudabench_suite} ${target})
endfunction()

# The GoogleTest program with all cases of a task. It does not depend on candidates: it is there to say that they failed.
function(_cudabench_program task)
    set(target ${_cudabench_suite}.${task}) # with a dot, which no id of a candidate has
    add_executable(${target} "${_cudabench_folder}/cases/${task}.cpp")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${task} RUNTIME_OUTPUT_DIRECTORY "${_cudabench_folder}/bin")
    target_link_libraries(${target} PRIVATE cudabench::case)
    add_dependencies(${target} cudabench_recorder_process)
    add_dependencies(${_cudabench_suite} ${target})
endfunction()
