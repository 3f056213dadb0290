#pragma once

#include "case/task.h"
#include "recipe/message.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cudabench {

/// Bytes of each input and of each output of a shape.
[[nodiscard]] std::vector<std::uint64_t> input_bytes(const Task& task, const Shape& shape);
[[nodiscard]] std::vector<std::uint64_t> output_bytes(const Task& task, const Shape& shape);

/// The call of `function` for a shape. `addresses`: of the inputs, then of the outputs.
[[nodiscard]] recipe::Call make_call(const Task& task, const Shape& shape, const std::string& function,
                                     std::span<const recipe::Address> addresses);

} // namespace cudabench
