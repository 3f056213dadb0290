#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <stdexcept>
#include <string>

namespace cudabench::counters {

struct Cupti;

/// A function of CUPTI did not succeed.
class CuptiError : public std::runtime_error {
public:
    CuptiError(const char* function, CUptiResult result, const char* name);

    [[nodiscard]] CUptiResult result() const noexcept { return result_; }

private:
    CUptiResult result_;
};

template <typename Pointer> class Function;

/// A function of CUPTI, found at run time.
template <typename... Arguments> class Function<CUptiResult (*)(Arguments...)> {
public:
    /// Throws CuptiError unless it succeeds.
    void operator()(Arguments... arguments) const;
    /// The result, for the caller to judge.
    CUptiResult result(Arguments... arguments) const { return pointer_(arguments...); }

private:
    friend Expected<const Cupti*, Failure> load();
    const char* name_ = nullptr;
    CUptiResult (*pointer_)(Arguments...) = nullptr;
};

// clang-format off
#define CUDABENCH_CUPTI_FUNCTIONS(f)                                                                                  \
    f(cuptiProfilerInitialize) f(cuptiDeviceGetChipName) f(cuptiProfilerHostInitialize)                               \
    f(cuptiProfilerHostDeinitialize) f(cuptiProfilerHostGetSupportedChips) f(cuptiProfilerHostGetBaseMetrics)         \
    f(cuptiProfilerHostConfigAddMetrics) f(cuptiProfilerHostGetConfigImageSize) f(cuptiProfilerHostGetConfigImage)    \
    f(cuptiProfilerHostGetNumOfPasses) f(cuptiProfilerHostEvaluateToGpuValues) f(cuptiRangeProfilerEnable)            \
    f(cuptiRangeProfilerDisable) f(cuptiRangeProfilerGetCounterDataSize)                                              \
    f(cuptiRangeProfilerCounterDataImageInitialize) f(cuptiRangeProfilerSetConfig) f(cuptiRangeProfilerStart)         \
    f(cuptiRangeProfilerStop) f(cuptiRangeProfilerPushRange) f(cuptiRangeProfilerPopRange)                            \
    f(cuptiRangeProfilerDecodeData)
// clang-format on

/// The functions of CUPTI that counting needs, by their names: cupti.cuptiProfilerInitialize(&parameters).
struct Cupti {
#define CUDABENCH_MEMBER(name) Function<decltype(&::name)> name; // NOLINT(bugprone-macro-parentheses): a declaration
    CUDABENCH_CUPTI_FUNCTIONS(CUDABENCH_MEMBER)
#undef CUDABENCH_MEMBER
};

/// CUPTI of this machine, loaded at the first call: the library that the environment variable CUDABENCH_CUPTI names,
/// or, without one, libcupti.so.13 as the loader finds it, else where the toolkit has it. Nothing links it, so that
/// everything else runs without. Failure: stage not_run, with where it was looked for.
Expected<const Cupti*, Failure> load();

/// "counters need ...": what `error` says to a user, with the remedy where there is one; stage not_run.
[[nodiscard]] Failure explain(const CuptiError& error);

namespace detail {
[[noreturn]] void throw_cupti_error(const char* function, CUptiResult result);
}

template <typename... Arguments>
void Function<CUptiResult (*)(Arguments...)>::operator()(Arguments... arguments) const {
    if (const CUptiResult result = pointer_(arguments...); result != CUPTI_SUCCESS)
        detail::throw_cupti_error(name_, result);
}

} // namespace cudabench::counters
