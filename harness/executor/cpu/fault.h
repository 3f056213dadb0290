#pragma once

#include "executor/cpu/lanes.h"

#include <stdexcept>
#include <string>

namespace cudabench::cpu {

/// Thrown by a step that a thread must not make: what it did, and which lane. Where it happened is added by whoever
/// runs the warp.
struct Fault : std::runtime_error {
    Fault(const std::string& what, unsigned of_lane) : std::runtime_error(what), lane(of_lane) {}
    unsigned lane;
};

} // namespace cudabench::cpu
