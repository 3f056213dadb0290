#include "executor/cpu/elementwise.h"

namespace cudabench::cpu {

bool wide_host() {
#ifdef __x86_64__
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
    return wide;
#else
    return false;
#endif
}

} // namespace cudabench::cpu
