#pragma once

#include "case/task.h"
#include "case/trial.h"
#include "executor/gpu/executor.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cudabench::examiner {

using Bytes = std::vector<std::byte>;

/// Of a shared object.
struct Function {
    std::filesystem::path module;
    std::string name;
};

/// Calls functions on the inputs of a trial, in fresh memory.
class Performer {
public:
    virtual ~Performer() = default;
    /// What the outputs hold afterwards. `limit` bounds the recipe.
    [[nodiscard]] virtual Expected<std::vector<Bytes>, Failure>
    perform(const Task& task, const Trial& trial, const Function& function, gpu::Seconds limit) = 0;
};

/// `recorder`: the cudabench_recorder executable.
[[nodiscard]] std::unique_ptr<Performer> performer_on_cpu(std::filesystem::path recorder);
[[nodiscard]] std::unique_ptr<Performer> performer_on_gpu(std::filesystem::path recorder, gpu::Executor& executor);

} // namespace cudabench::examiner
