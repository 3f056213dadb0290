#pragma once

#include "device_code/fat_binary.h"

#include <span>

namespace cudabench::device_code {

/// False if no instruction for tensor cores is in the code: in its PTX, of which the compiler made the rest. Code
/// without PTX of its own architecture may have some.
[[nodiscard]] bool may_use_tensor_cores(std::span<const FatBinary> code);

} // namespace cudabench::device_code
