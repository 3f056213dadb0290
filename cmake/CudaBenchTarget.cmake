# cudabench_library(<part> [SOURCES ...] [LINK ...]): a part of the harness, as the target cudabench::<part>.
# Includes are written from harness/, e.g. "recipe/operation.h".
include_guard(GLOBAL)

function(cudabench_warnings target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                             $<$<BOOL:${CUDABENCH_WARNINGS_AS_ERRORS}>:-Werror>>)
endfunction()

function(cudabench_library part)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
    add_library(cudabench_${part} STATIC ${arg_SOURCES})
    add_library(cudabench::${part} ALIAS cudabench_${part})
    set_property(TARGET cudabench_${part} PROPERTY EXPORT_NAME ${part})
    set_property(GLOBAL APPEND PROPERTY CUDABENCH_INSTALLED_TARGETS cudabench_${part})
    target_include_directories(cudabench_${part} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../harness>"
                                                        "$<INSTALL_INTERFACE:include/cudabench>")
    target_link_libraries(cudabench_${part} PUBLIC ${arg_LINK})
    cudabench_warnings(cudabench_${part})
endfunction()
