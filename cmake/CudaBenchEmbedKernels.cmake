# cudabench_embed_kernels(<target> <file.cu> [OPTIONS <nvcc option>...]): compiles device code of the harness to a fat
# binary and embeds it in <target>, which then has
#     #include "embedded/<file>.h"        // std::span<const std::byte> cudabench::embedded::<file>();
# to be loaded with driver::load_library(). Needs no CUDA runtime. Machine code for CUDABENCH_ARCHITECTURE without its
# feature suffix, and PTX beside it for newer GPUs. OPTIONS: e.g. -fmad=false where arithmetic must be exact.
include_guard(GLOBAL)

function(cudabench_embed_kernels target file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
    cmake_path(GET file STEM name)
    cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
    string(REGEX REPLACE "[a-z]+$" "" architecture "${CUDABENCH_ARCHITECTURE}")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded")
    set(fatbin "${folder}/${name}.fatbin")
    file(MAKE_DIRECTORY "${folder}")

    add_custom_command(
        OUTPUT "${fatbin}"
        COMMAND "${CMAKE_CUDA_COMPILER}" -fatbin -std=c++20 -lineinfo --Werror all-warnings -Xcompiler=-Wall
                "-gencode=arch=compute_${architecture},code=[sm_${architecture},compute_${architecture}]"
                ${arg_OPTIONS} "-I${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../harness"
                -MD -MF "${fatbin}.d" -MT "${fatbin}" -o "${fatbin}" "${source}"
        DEPENDS "${source}"
        DEPFILE "${fatbin}.d"
        COMMENT "Compiling kernels ${name}.cu"
        VERBATIM)

    set(symbol "cudabench_embedded_${name}")
    file(CONFIGURE OUTPUT "${folder}/${name}.h" @ONLY CONTENT "#pragma once

#include <cstddef>
#include <span>

namespace cudabench::embedded {
/// The fat binary of @name@.cu.
std::span<const std::byte> @name@();
} // namespace cudabench::embedded
")
    file(CONFIGURE OUTPUT "${folder}/${name}.cpp" @ONLY CONTENT "#include \"embedded/@name@.h\"

asm(\".section .rodata\\n\"
    \".hidden @symbol@\\n\"
    \".globl @symbol@\\n\"
    \".balign 16\\n\"
    \"@symbol@:\\n\"
    \".incbin \\\"@fatbin@\\\"\\n\"
    \".hidden @symbol@_end\\n\"
    \".globl @symbol@_end\\n\"
    \"@symbol@_end:\\n\"
    \".byte 0\\n\"
    \".previous\\n\");

extern \"C\" const std::byte @symbol@[];
extern \"C\" const std::byte @symbol@_end[];

std::span<const std::byte> cudabench::embedded::@name@() { return {@symbol@, @symbol@_end}; }
")
    set_source_files_properties("${folder}/${name}.cpp" PROPERTIES OBJECT_DEPENDS "${fatbin}")
    target_sources(${target} PRIVATE "${folder}/${name}.cpp")
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
