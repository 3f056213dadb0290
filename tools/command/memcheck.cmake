# Runs the cases of a build tree under compute-sanitizer, as `ctest -T memcheck` does: ctest -S memcheck.cmake, with
# MEMCHECK_BUILD_DIR, MEMCHECK_COMMAND, MEMCHECK_JOBS and MEMCHECK_TESTS (a regular expression) in the environment.
set(CTEST_BINARY_DIRECTORY "$ENV{MEMCHECK_BUILD_DIR}")
set(CTEST_SOURCE_DIRECTORY "$ENV{MEMCHECK_BUILD_DIR}")
set(CTEST_SITE "here")
set(CTEST_BUILD_NAME "memcheck")
set(CTEST_MEMORYCHECK_TYPE CudaSanitizer)
set(CTEST_MEMORYCHECK_COMMAND "$ENV{MEMCHECK_COMMAND}")
# Host code records in a process of its own, which has no GPU. The harness asks the driver for what a GPU may not have, and
# handles every refusal itself.
set(CTEST_MEMORYCHECK_COMMAND_OPTIONS "--tool memcheck --target-processes application-only --report-api-errors no")

ctest_start(Experimental QUIET)
ctest_memcheck(PARALLEL_LEVEL $ENV{MEMCHECK_JOBS} INCLUDE "$ENV{MEMCHECK_TESTS}" EXCLUDE_LABEL "^counters$"
               RETURN_VALUE ignored)
