#include "recorder/confined/sanitizer.h"

// Options, since the recorder has no environment. To look for leaks at exit() takes a second process, which the
// recorder may not have; stacks for signal handlers are its own, and would be freed at the end of a thread.
extern "C" const char* __asan_default_options() { // NOLINT(bugprone-reserved-identifier)
    return "detect_leaks=0:use_sigaltstack=0";
}
