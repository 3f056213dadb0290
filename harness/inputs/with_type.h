#pragma once

#include "case/task.h"

#include <cstdint>
#include <stdexcept>

namespace cudabench {

/// Calls `action` with a zero of the C++ type of `dtype`.
template <typename Action> decltype(auto) with_type(Dtype dtype, Action action) {
    switch (dtype) {
    case Dtype::float32: return action(float{});
    case Dtype::float64: return action(double{});
    case Dtype::int32: return action(std::int32_t{});
    case Dtype::uint32: return action(std::uint32_t{});
    case Dtype::int64: return action(std::int64_t{});
    case Dtype::uint8: return action(std::uint8_t{});
    }
    throw std::logic_error("unknown dtype");
}

} // namespace cudabench
