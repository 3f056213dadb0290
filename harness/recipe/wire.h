#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cudabench::recipe {

/// One operation as bytes: its index in the Operation variant (u8), then its fields in declared order.
[[nodiscard]] std::vector<std::byte> encode(const Operation& operation);

/// The operation that exactly these bytes hold; else a Failure of stage contract. Only the form is checked here
/// (lengths, enumerators); what the values may be is validated by recipe/validate.h.
[[nodiscard]] Expected<Operation, Failure> decode_operation(std::span<const std::byte> bytes);

} // namespace cudabench::recipe
