#pragma once

#include "case/task.h"

#include <nlohmann/json_fwd.hpp>

namespace cudabench {

/// A task from the generator's cudabench_tasks/tasks.json, whose keys are the names of the members. Throws
/// std::runtime_error naming the task, the place and what is wrong there.
[[nodiscard]] Task task_from_json(const nlohmann::json& json);

} // namespace cudabench
