# What the generated targets/<task>/CMakeLists.txt call, in directories of their own below cudabench_add_candidates(),
# whose variables _cudabench_* they see.
include_guard(GLOBAL)

# At directory scope, first: candidates are optimised in every build type, by the same flags, and nothing that the project
# around sets for its own code reaches them. What all modules have in common is set once, here: suites have thousands.
macro(_cudabench_candidate_directory)
    if(NOT cudabench_IS_TOP_LEVEL)
        foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_DIRECTORIES LINK_OPTIONS)
            set_property(DIRECTORY PROPERTY ${property})
        endforeach()
        set(CMAKE_CUDA_FLAGS)
        set(CMAKE_MODULE_LINKER_FLAGS)
    endif()
    string(APPEND CMAKE_CUDA_FLAGS " -O3") # also where a project has no build type, or one of its own
    foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
        string(TOUPPER "${configuration}" configuration)
        set(CMAKE_CUDA_FLAGS_${configuration} "")
        set(CMAKE_MODULE_LINKER_FLAGS_${configuration} "")
    endforeach()
    foreach(kind IN ITEMS INCLUDES OBJECTS LIBRARIES) # cudabench-compile grants access to what the command names
        set(CMAKE_CUDA_USE_RESPONSE_FILE_FOR_${kind} OFF)
    endforeach()
    set(CMAKE_CUDA_ARCHITECTURES "${CUDABENCH_ARCHITECTURE}")
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS ON)
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)
    set(CMAKE_CUDA_SEPARABLE_COMPILATION OFF)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    set(CMAKE_BUILD_WITH_INSTALL_RPATH OFF)
    set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
    set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
    set(CMAKE_UNITY_BUILD OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
    set(CMAKE_SHARED_MODULE_PREFIX "")
    set(CMAKE_SHARED_MODULE_SUFFIX ".so")
    # No module names a directory of libraries; CMake would follow the links of these for every module: 1.4 million
    # calls of the system for 6,300.
    set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES)
    set(CMAKE_PLATFORM_IMPLICIT_LINK_DIRECTORIES)
    set(_cudabench_launcher "${CUDABENCH_BIN}/cudabench-compile" --deadline ${CUDABENCH_COMPILE_DEADLINE})
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

# At directory scope, after the other targets of the directory: options of the modules that come.
macro(_cudabench_module_options)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${_cudabench_folder}/modules")
    include_directories("${_cudabench_shared}/generated" ${_cudabench_include_directories})
    _cudabench_take_relocatable(_cudabench_compile_options _cudabench_relocatable)
    # Neither machine code nor PTX compressed: the recorder and the CPU executor read both.
    add_compile_options(--compress-mode=none -Xptxas=-v ${_cudabench_compile_options})
    # Without LTO, of which the compiler asks nothing: a source can hold its sections, with options for the assembler.
    add_link_options(LINKER:-z,defs $<HOST_LINK:-fno-lto>)
    link_libraries($<LINK_ONLY:cudabench::runtime>)
    if(_cudabench_relocatable)
        set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
        set(CMAKE_CUDA_RESOLVE_DEVICE_SYMBOLS ON)
        add_link_options($<DEVICE_LINK:--compress-mode=none>)
        link_libraries(cudadevrt)
    endif()
endmacro()

# _cudabench_module(<target> <name> <option> <source> <wrapper> <record> <mode>): compiles the wrapper, which includes the source, to
# <name>.so through cudabench-compile.
function(_cudabench_module target name option source wrapper record mode)
    add_library(${target} MODULE "${wrapper}")
    # Compiler and linker are run by cudabench-compile. CMake knows no linker launcher for CUDA.
    set(launcher ${_cudabench_launcher} --mode ${mode} --record "${record}" ${option} "${source}")
    string(REPLACE "'" "'\\''" quoted "${launcher}")
    string(REPLACE ";" "' '" quoted "${quoted}")
    set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "" OUTPUT_NAME "${name}"
        CUDA_COMPILER_LAUNCHER "${launcher};--" RULE_LAUNCH_LINK "'${quoted}' '--link' '--' ")
    add_dependencies(${target} cudabench::compile)
endfunction()

function(_cudabench_candidate id source)
    _cudabench_module(${_cudabench_suite}_${id} ${id} --source "${source}" ${id}.cu
                      "${_cudabench_folder}/compile/${id}.json" ${CUDABENCH_COMPILE_FAILURE})
    add_dependencies(${_cudabench_suite} ${_cudabench_suite}_${id})
endfunction()

# One whose source has a name that build systems cannot take; the generator made links to it and to its folder.
function(_cudabench_linked_candidate id)
    set(links "${_cudabench_folder}/sources/${id}")
    _cudabench_module(${_cudabench_suite}_${id} ${id} --linked-source "${links}/candidate.cu" ${id}.cu
                      "${_cudabench_folder}/compile/${id}.json" ${CUDABENCH_COMPILE_FAILURE})
    target_include_directories(${_cudabench_suite}_${id} BEFORE PRIVATE "${links}/folder")
    add_dependencies(${_cudabench_suite} ${_cudabench_suite}_${id})
endfunction()

# A module of the build tree's own, once: neither options of the suite nor its way with failures count.
function(_cudabench_own_module target name source wrapper folder record)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${folder}")
    _cudabench_module(${target} ${name} --source "${source}" "${wrapper}" "${_cudabench_shared}/compile/${record}.json" build_error)
    target_include_directories(${target} PRIVATE "${_cudabench_shared}/generated")
    target_compile_options(${target} PRIVATE --compress-mode=none -Xptxas=-v)
    target_link_options(${target} PRIVATE LINKER:-z,defs $<HOST_LINK:-fno-lto>)
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:cudabench::runtime>)
endfunction()

# The reference of a task, once a build tree: a candidate that is trusted.
function(_cudabench_reference task source)
    set(target cudabench_reference_${task})
    if(NOT TARGET ${target})
        _cudabench_own_module(${target} ${task} "${source}" "${_cudabench_shared}/wrappers/${task}.cu" "${_cudabench_shared}/references"
                              ${task})
        target_compile_options(${target} PRIVATE -DCUDABENCH_REFERENCE)
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
    add_dependencies(${target} cudabench::recorder_process)
    add_dependencies(${_cudabench_suite} ${target})
endfunction()
