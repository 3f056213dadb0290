#include "roofline/scores.h"

#include <algorithm>
#include <stdexcept>

namespace cudabench::roofline {
namespace {

/// No work takes no time, whatever the pipe.
double seconds_of(double amount, double peak) {
    return amount > 0 ? amount / peak : 0;
}

} // namespace

double attainable_seconds(const Work& work, const Peaks& peaks) {
    return std::max({seconds_of(work.read_bytes + work.write_bytes, peaks.bandwidth), seconds_of(work.fp32, peaks.fp32),
                     seconds_of(work.fp64, peaks.fp64), seconds_of(work.tensor, peaks.tensor()),
                     seconds_of(work.sfu, peaks.sfu), seconds_of(work.int32, peaks.int32)});
}

double floor_seconds(const Work& floor, const Peaks& peaks) {
    Work necessary = floor;
    necessary.write_bytes = std::max(0.0, floor.write_bytes - peaks.l2_bytes);
    Peaks fastest = peaks;
    fastest.tensor_tf32 = std::max(peaks.tensor_tf32, peaks.tensor_fp16);
    fastest.fp32 = std::max(peaks.fp32, fastest.tensor_tf32);
    return attainable_seconds(necessary, fastest);
}

Scores score(const Timed& timed, const Peaks& peaks) {
    if (!(timed.seconds > 0)) {
        throw std::invalid_argument("score: the time of a case must be positive");
    }
    Scores scores;
    scores.performed_seconds = attainable_seconds(timed.performed, peaks);
    scores.model_seconds = attainable_seconds(timed.model, peaks);
    scores.floor_seconds = floor_seconds(timed.floor, peaks);
    scores.performance = scores.performed_seconds / timed.seconds;
    scores.speed_of_light = std::min(1.0, std::max(scores.model_seconds, timed.empty_seconds) / timed.seconds);
    scores.launch_bound = scores.performed_seconds < timed.empty_seconds;
    scores.beats_model = scores.model_seconds > timed.seconds;
    scores.implausible = timed.seconds < scores.floor_seconds;
    return scores;
}

} // namespace cudabench::roofline
