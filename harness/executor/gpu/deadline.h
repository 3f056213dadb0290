#pragma once

#include "driver/stream.h"
#include "executor/gpu/device.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <chrono>

namespace cudabench::gpu {

using Seconds = std::chrono::duration<double>;

/// Waits until `event` is reached. Failure: stage launch, it was not within `limit` (an endless kernel); the process is
/// lost then. Throws driver::DriverError for a fault of the device.
Expected<Done, Failure> wait(const Device& device, const driver::Event& event, Seconds limit);

} // namespace cudabench::gpu
