#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"
#include "ptx/module.h"

#include <string_view>

namespace cudabench::ptx {

/// Reads PTX as nvcc 13 writes it (ISA 9.0, sm_75 to sm_121). Accepts any bytes; else a Failure of stage contract that
/// names line and token. What instructions mean is not checked here. Views into `text`.
[[nodiscard]] Expected<Module, Failure> parse(std::string_view text);

} // namespace cudabench::ptx
