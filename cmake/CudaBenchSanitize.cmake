# CUDABENCH_SANITIZE=address|thread: the harness is compiled so; candidates, as nvcc compiles them, are not.
include_guard(GLOBAL)

if(CUDABENCH_SANITIZE STREQUAL "thread")
    set(_cudabench_sanitizers thread)
elseif(CUDABENCH_SANITIZE STREQUAL "address" OR CUDABENCH_SANITIZE STREQUAL "ON")
    set(_cudabench_sanitizers address undefined)
elseif(CUDABENCH_SANITIZE)
    message(FATAL_ERROR "CUDABENCH_SANITIZE is ${CUDABENCH_SANITIZE}: it can be OFF, address (also: ON) or thread")
else()
    return()
endif()

list(JOIN _cudabench_sanitizers "," _cudabench_sanitized)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${_cudabench_sanitized}> $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
# Also candidates are linked so: the sanitizers' libraries, which the recording runtime needs, hide names of the C library.
list(TRANSFORM _cudabench_sanitizers PREPEND "-fsanitize=")
add_link_options("$<HOST_LINK:${_cudabench_sanitizers}>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What they add hides from g++ 12 that a member of std::variant is set and that std::regex sets its own: false alarms.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
