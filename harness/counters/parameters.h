#pragma once

#include "counters/cupti.h"

namespace cudabench::counters {

/// A parameter block of CUPTI with its size filled in, as each call requires; the rest is zero.
template <typename Parameters> Parameters sized(std::size_t size) {
    Parameters parameters{};
    parameters.structSize = size;
    return parameters;
}

} // namespace cudabench::counters
