#pragma once

#include "case/case.h"
#include "case/counting.h"
#include "case/task_list.h"
#include "executor/gpu/executor.h"
#include "outcome/failure.h"
#include "recorder/ahead.h"
#include "worker/request.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace cudabench::worker {

/// Grades one case after the other by the function that ctest's programs use, with a GPU that is ready before the
/// first.
class Worker {
public:
    /// `tasks`: the file of a TaskList. Throws std::runtime_error naming it.
    explicit Worker(const std::filesystem::path& tasks);

    /// Makes the GPU ready. What went wrong, if there is none: cases are
    /// then graded as far as they can be without.
    [[nodiscard]] std::optional<Failure> prepare_gpu();

    /// The reply to one line: {"result": ...} or {"counted": ...}, or {"error": ...} for a request that makes no sense;
    /// none if it only says what to prepare for. Never throws.
    [[nodiscard]] std::optional<std::string> reply(const std::string& line);

    /// Name of the GPU, if one is ready.
    [[nodiscard]] std::optional<std::string> device() const;

private:
    [[nodiscard]] Suite suite(const Task& task, std::span<const Case> cases) const;
    /// {"result": ...} or {"counted": ...}
    [[nodiscard]] nlohmann::json answer(const Request& request);
    void prepare(const Request& request);
    [[nodiscard]] CountedResult count(const Suite& suite, const Case& counted, const GradeOptions& options);

    TaskList tasks_;
    std::unique_ptr<gpu::Executor> executor_;
    recorder::RecordingsAhead reference_; ///< of references of tasks that are or will be graded
    std::optional<Counting> counting_;    ///< made when something is to be counted
};

} // namespace cudabench::worker
