#pragma once

#include "case/task.h"
#include "case/task_list.h"
#include "case/trial.h"
#include "examiner/performer.h"
#include "verify/compare.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::examiner {

/// What a task's author asks: what the reference makes of one set of inputs, and how near to that other answers come,
/// by the comparison that candidates are judged by. One JSON object a line:
///
///   {"do": "open", "task": "softmax", "shape": "edge_1x1", "seed": "0x1f", "integers": false, "folder": "/tmp/a"}
///     performs the reference and writes its arrays to the folder: input.<name>, expected.<name>, and magnitude.<name>
///     if an output has a bound
///   {"do": "judge", "answers": {"output": "/tmp/b"}}
///     compares files with what the reference made of the inputs that were opened last; an output that is not named
///     counts as never written
///   {"do": "perform", "module": "candidate.so", "function": "cudabench_call", "seconds": 120}
///     performs a function of a candidate, by default these, and compares what it wrote; on the CPU races and
///     uninitialised reads are failures, and "counts" has what was executed (executor/cpu/counts.h)
///
/// The last two answer {"outputs": {"output": {"passed", "mismatches", "total", "ratio", "rms"}}}: the largest error in
/// units of the allowed one, and the root mean square in units of its limit; null stands for infinite.
class Examiner {
public:
    /// `tasks`: the generator's tasks.json, beside which references/ lies. Without `executor` on the CPU. Throws
    /// std::runtime_error naming the file.
    Examiner(const std::filesystem::path& tasks, gpu::Executor* executor);

    /// The answer to one line: besides those above {"failure": {"stage", "message"}} of what was performed, and
    /// {"error": ...} for a request that makes no sense. Never throws.
    [[nodiscard]] std::string reply(const std::string& line);

private:
    /// A set of inputs, and what the reference made of it.
    struct Opened {
        Task task;
        Shape shape;
        Trial trial; ///< of `shape`
        std::vector<Bytes> expected;
        std::vector<Bytes> magnitudes; ///< empty ones without a bound
    };

    [[nodiscard]] nlohmann::json answer(const nlohmann::json& request);
    [[nodiscard]] nlohmann::json open(const nlohmann::json& request);
    [[nodiscard]] nlohmann::json judge(const nlohmann::json& answers) const;
    [[nodiscard]] nlohmann::json perform(const nlohmann::json& request);
    [[nodiscard]] nlohmann::json compared(const std::vector<Bytes>& answers) const;
    [[nodiscard]] const Opened& opened() const;

    TaskList tasks_;
    std::unique_ptr<Performer> performer_;
    std::unique_ptr<Opened> opened_;
};

} // namespace cudabench::examiner
