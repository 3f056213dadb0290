#pragma once

#include "case/task.h"
#include "roofline/peaks.h"

namespace cudabench::roofline {

/// T(F, B): the time below which the roofline model lets no kernel come, seconds: bytes over peak bandwidth or
/// operations over the peak of their pipe, whichever is longest (Williams, Waterman, Patterson, "Roofline", CACM 2009).
[[nodiscard]] double attainable_seconds(const Work& work, const Peaks& peaks);

/// Time below which a result is not believed, seconds. Of the writes only what exceeds the L2 must reach memory while
/// the clock runs; fp32 operations may go through the fastest pipe, as split-precision products do.
[[nodiscard]] double floor_seconds(const Work& floor, const Peaks& peaks);

/// What is known of a correct case.
struct Timed {
    Work performed;           ///< counted on the GPU; the model's where nothing was counted
    Work model;               ///< Shape::model
    Work floor;               ///< Shape::floor
    double seconds = 0;       ///< median
    double empty_seconds = 0; ///< of an empty recipe
};

struct Scores {
    double performance = 0;       ///< T(performed) / time
    double speed_of_light = 0;    ///< max(T(model), empty recipe) / time, at most 1
    double performed_seconds = 0; ///< T(performed)
    double model_seconds = 0;     ///< T(model)
    double floor_seconds = 0;
    bool launch_bound = false; ///< T(performed) is below the empty recipe: the time says little of the kernel
    bool beats_model = false;  ///< faster than T(model): another algorithm, or data that stayed in the L2
    bool implausible = false;  ///< faster than the floor: the case fails
};

/// Throws std::invalid_argument unless seconds > 0.
[[nodiscard]] Scores score(const Timed& timed, const Peaks& peaks);

} // namespace cudabench::roofline
