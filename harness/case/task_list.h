#pragma once

#include "case/task.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace cudabench {

/// The generator's tasks.json, beside which references/ lies.
class TaskList {
public:
    /// Throws std::runtime_error naming the file.
    explicit TaskList(const std::filesystem::path& file);

    /// Throws std::runtime_error if there is none of this name.
    [[nodiscard]] Task task(const std::string& name) const;

    /// The module of a task's reference.
    [[nodiscard]] std::filesystem::path reference(const Task& task) const;

private:
    nlohmann::json tasks_;
    std::filesystem::path references_;
};

} // namespace cudabench
