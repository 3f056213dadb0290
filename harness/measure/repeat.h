#pragma once

#include "measure/clock_probe.h"
#include "measure/cold_cache.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <functional>
#include <vector>

namespace cudabench::measure {

/// What makes repetitions comparable. One a process: it holds memory of twice the L2's size.
struct Conditions {
    explicit Conditions(const gpu::Device& device) : cache(device), clock(device) {}
    ColdCache cache;
    ClockProbe clock;
};

/// What a case does around repetitions, by calls in this order: prepare, (the repetition), after.
struct Around {
    /// Before each repetition and warm-up, which `count` counts together from 0: new inputs, poison, globals as after
    /// loading. May start its work in the device's stream.
    std::function<void(unsigned count)> prepare = [](unsigned) {};
    /// After each timed repetition, counted from 0, whose work is done: to seal the outputs of some.
    std::function<void(unsigned repetition)> after = [](unsigned) {};
};

struct Timing {
    double seconds = 0; ///< median of `repetitions`
    double low = 0;     ///< bounds of the 95 % order-statistic interval of the median
    double high = 0;
    double spread = 0;               ///< interquartile range over median
    std::vector<double> repetitions; ///< seconds, all, in order
    unsigned warm_ups = 0;
    double sm_clock_hz = 0; ///< after the last repetition
    bool steady = false;    ///< half of the interval is at most 0.5 % of the median
    bool graph = false;     ///< timed inside a graph; else started operation by operation, between events
    bool host_gaps = false; ///< the host code was asked for operations meanwhile
};

/// Repeats: prepare, cold cache, `once` (which performs the work and returns its seconds), after. Warms up until the
/// clock is steady within 1 %, 2 to 20 times; then 11, 22, 44, 88 repetitions until the median is steady (5, 11, 22 of
/// work above 20 ms; 3, 5 above 100 ms). Nothing is left out. The first failure of `once` is returned.
Expected<Timing, Failure> repeat(const Conditions& conditions, const Around& around,
                                 const std::function<Expected<double, Failure>()>& once);

/// How many repetitions before the median is judged again, for work of so many seconds.
[[nodiscard]] std::vector<unsigned> schedule(double seconds);

} // namespace cudabench::measure
