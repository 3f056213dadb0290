#pragma once

#include "case/task.h"
#include "case/trial.h"
#include "executor/cpu/counts.h"
#include "executor/gpu/executor.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::examiner {

using Bytes = std::vector<std::byte>;

/// Of a shared object.
struct Function {
    std::filesystem::path module;
    std::string name;
};

/// How a call is performed.
struct How {
    gpu::Seconds limit{120}; ///< of the recipe
    bool watched = false;    ///< on the CPU: races and uninitialised reads are failures, and accesses are counted
};

/// What became of a call.
struct Performed {
    std::vector<Bytes> outputs;
    std::optional<cpu::Counts> counts; ///< on the CPU
};

/// Calls functions on the inputs of a trial, in fresh memory.
class Performer {
public:
    virtual ~Performer() = default;
    [[nodiscard]] virtual Expected<Performed, Failure> perform(const Task& task, const Trial& trial,
                                                               const Function& function, const How& how) = 0;
};

/// `recorder`: the cudabench_recorder executable.
[[nodiscard]] std::unique_ptr<Performer> performer_on_cpu(std::filesystem::path recorder);
[[nodiscard]] std::unique_ptr<Performer> performer_on_gpu(std::filesystem::path recorder, gpu::Executor& executor);

} // namespace cudabench::examiner
