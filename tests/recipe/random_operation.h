#pragma once

#include "recipe/message.h"

#include <random>

namespace cudabench::recipe {

/// An operation of any kind with any values; sizes stay small.
Operation random_operation(std::mt19937_64& random);

} // namespace cudabench::recipe
