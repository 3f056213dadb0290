#pragma once

#include "driver/owned.h"

namespace cudabench::driver {

using Stream = Owned<CUstream, &Driver::cuStreamDestroy>;
using Event = Owned<CUevent, &Driver::cuEventDestroy>;

/// A stream that does not synchronise with the default stream.
inline Stream make_stream(const Driver& driver) {
    CUstream stream = nullptr;
    driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    return {driver, stream};
}

/// An event that marks an order.
inline Event make_event(const Driver& driver) {
    CUevent event = nullptr;
    driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    return {driver, event};
}

/// An event that marks an order and a time.
inline Event make_timing_event(const Driver& driver) {
    CUevent event = nullptr;
    driver.cuEventCreate(&event, CU_EVENT_DEFAULT);
    return {driver, event};
}

/// Seconds from `start` to `end`, both reached; resolution about 32 ns on current GPUs.
inline double elapsed_seconds(const Driver& driver, const Event& start, const Event& end) {
    float milliseconds = 0;
    driver.cuEventElapsedTime(&milliseconds, start.get(), end.get());
    return static_cast<double>(milliseconds) * 1e-3;
}

} // namespace cudabench::driver
