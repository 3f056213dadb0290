#include "case/device_limit.h"

#include "roofline/peaks.h"
#include "roofline/scores.h"

#include <algorithm>

namespace cudabench {

gpu::Seconds device_limit(const Work& model, const device::Description& device) {
    constexpr double least = 10;
    const auto peaks = roofline::nominal_peaks(device);
    return gpu::Seconds(peaks ? std::max(least, 400 * roofline::attainable_seconds(model, *peaks)) : least);
}

} // namespace cudabench
