#include "executor/cpu/elementwise.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace cudabench::cpu {

#ifdef __x86_64__
namespace {

/// clang's __builtin_cpu_supports does not know this one.
bool converts_halves() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

} // namespace
#endif

bool wide_host() {
#ifdef __x86_64__
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi2") && converts_halves();
    return wide;
#else
    return false;
#endif
}

} // namespace cudabench::cpu
