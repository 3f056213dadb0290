#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace cudabench::gpu {

/// The GPU that CTest has assigned to this process: the id of the first of CTEST_RESOURCE_GROUP_0_GPUS
/// (`id:<id>,slots:<n>`), or none where the tests run without a resource specification.
[[nodiscard]] std::optional<std::string> assigned_id();

/// The UUID of a GPU as CTest allows it as an id, in lower case with underscores: gpu_5e1f...
[[nodiscard]] std::string resource_id(const std::string& uuid);

/// Which of the visible GPUs, whose `uuids` these are, an id means: its number, or its UUID as resource_id() writes it.
/// The first one without an id. Failure: stage fault, there is no such GPU.
[[nodiscard]] Expected<std::size_t, Failure> choose_gpu(const std::optional<std::string>& id,
                                                        std::span<const std::string> uuids);

} // namespace cudabench::gpu
