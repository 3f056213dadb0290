#pragma once

#include "device/description.h"

namespace cudabench::device {

/// An NVIDIA H200 SXM, for recording on a machine without a GPU. No uuid; attributes that grading does not need are 0.
/// Sources: cuda.h's documentation of the attributes, the CUDA programming guide's table for compute capability 9.0,
/// the data sheet, and values read from such a GPU (clocks, bus width, L2 size).
[[nodiscard]] Description h200();

} // namespace cudabench::device
