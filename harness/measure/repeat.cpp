#include "measure/repeat.h"

#include "measure/order_statistics.h"

#include <cmath>

namespace cudabench::measure {
namespace {

constexpr double steady_clock_within = 0.01;
constexpr double steady_median_within = 0.005;
constexpr unsigned least_warm_ups = 2;
constexpr unsigned most_warm_ups = 20;

void judge(Timing& timing) {
    const MedianInterval interval = median_interval(timing.repetitions);
    timing.seconds = interval.median;
    timing.low = interval.low;
    timing.high = interval.high;
    timing.spread = relative_spread(timing.repetitions);
    timing.steady = (interval.high - interval.low) / 2 <= steady_median_within * interval.median;
}

/// A series of repetitions under way.
class Series {
public:
    Series(const Conditions& conditions, const Around& around, const std::function<Expected<double, Failure>()>& once)
        : conditions_(conditions), around_(around), once_(once) {}

    Expected<double, Failure> next() {
        around_.prepare(count_++);
        conditions_.cache.sweep();
        return once_();
    }

private:
    const Conditions& conditions_;
    const Around& around_;
    const std::function<Expected<double, Failure>()>& once_;
    unsigned count_ = 0;
};

/// The seconds of the last warm-up.
Expected<double, Failure> warm_up(Series& series, const Conditions& conditions, Timing& timing) {
    double last = 0;
    double clock = 0;
    for (bool steady = false; timing.warm_ups < least_warm_ups || (!steady && timing.warm_ups < most_warm_ups);) {
        const auto seconds = series.next();
        if (!seconds)
            return seconds.error();
        last = *seconds;
        ++timing.warm_ups;
        const double before = clock;
        clock = conditions.clock.hertz();
        steady = std::abs(clock - before) <= steady_clock_within * clock;
    }
    return last;
}

} // namespace

std::vector<unsigned> schedule(double seconds) {
    if (seconds > 0.1)
        return {3, 5};
    if (seconds > 0.02)
        return {5, 11, 22};
    return {11, 22, 44, 88};
}

Expected<Timing, Failure> repeat(const Conditions& conditions, const Around& around,
                                 const std::function<Expected<double, Failure>()>& once) {
    Timing timing;
    Series series(conditions, around, once);
    const auto expected = warm_up(series, conditions, timing);
    if (!expected)
        return expected.error();

    const std::vector<unsigned> counts = schedule(*expected);
    for (const unsigned count : counts) {
        while (timing.repetitions.size() < count) {
            const auto seconds = series.next();
            if (!seconds)
                return seconds.error();
            timing.repetitions.push_back(*seconds);
            around.after(static_cast<unsigned>(timing.repetitions.size() - 1));
        }
        judge(timing);
        if (timing.steady)
            break;
    }
    timing.sm_clock_hz = conditions.clock.hertz();
    return timing;
}

} // namespace cudabench::measure
