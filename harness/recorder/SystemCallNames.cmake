# cudabench_system_call_names(<file>): writes the names of this machine's system calls, from the system's own headers.
include_guard(GLOBAL)

function(cudabench_system_call_names file)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -E -dM -include sys/syscall.h -x c++ /dev/null
                    OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "#define SYS_[a-z0-9_]+ " names "${macros}")
    list(SORT names)
    list(TRANSFORM names REPLACE "#define SYS_([a-z0-9_]+) " [[    {SYS_\1, "\1"},]])
    list(JOIN names "\n" system_call_names)
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/confined/system_call_names.cpp.in" "${file}" @ONLY)
endfunction()
