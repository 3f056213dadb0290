#pragma once

#include "case/task.h"
#include "device/description.h"
#include "executor/gpu/deadline.h"

namespace cudabench {

/// How long a recipe may run: 10 s, or 20 times a reference that reaches 5 % of the roofline of `model`.
[[nodiscard]] gpu::Seconds device_limit(const Work& model, const device::Description& device);

} // namespace cudabench
