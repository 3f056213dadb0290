#pragma once

#include "driver/driver.h"
#include "recipe/message.h"

#include <cstddef>
#include <vector>

namespace cudabench::gpu {

/// The tensor map that cuTensorMapEncodeTiled makes of these arguments, whose rank is possible. The result depends on
/// nothing else. Throws driver::DriverError for arguments that the driver refuses.
std::vector<std::byte> encode_tensor_map(const driver::Driver& driver, const recipe::TensorMap& wanted);

} // namespace cudabench::gpu
