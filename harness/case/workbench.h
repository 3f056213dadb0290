#pragma once

#include "case/case.h"
#include "case/suite_paths.h"
#include "case/trial.h"
#include "driver/memory.h"
#include "executor/gpu/executor.h"
#include "inputs/generate.h"
#include "recorder/record.h"

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace cudabench {

/// What a case works with on a GPU: buffers of one shape at a time, inputs drawn into them, host code called with them.
/// Throws driver::DriverError for a fault of the machine.
class Workbench {
public:
    /// All but `limits`, of host code, must outlive it.
    Workbench(const Task& task, const SuitePaths& paths, gpu::Executor& executor, const recorder::Limits& limits = {});

    /// Of host code from now on.
    void limit(const recorder::Limits& limits) { limits_ = limits; }

    /// Makes the buffers those of the trial's shape, placed as it says; their content is arbitrary.
    void open(const Trial& trial);
    /// Draws the trial's inputs. Starts the work in the device's stream.
    void generate(const Generator& generator, const Trial& trial);
    void poison_outputs(std::uint64_t seed);
    [[nodiscard]] std::vector<gpu::Seal> seal_outputs() const;
    /// Copies that no candidate can reach, since none runs any more. Starts the work in the device's stream.
    [[nodiscard]] std::vector<driver::DeviceMemory> copy_outputs() const;

    /// Records the call of `function` in `module` with the open buffers, unless that was done `ahead`, performs what
    /// host code asks for meanwhile, and starts the rest of the recipe; all but performance.finish(). A failure of
    /// either is Recording::failure.
    [[nodiscard]] recorder::Recording record_and_start(gpu::Performance& performance, const gpu::Program& program,
                                                       const std::filesystem::path& module, const std::string& function,
                                                       std::optional<recorder::Recording> ahead = std::nullopt) const;

    /// Begins to record a call of `function` in `module` with the buffers as they will lie when `trial` is open;
    /// nothing of it is performed or validated. Saves time with what most host code does. None if it fails, asks
    /// something or takes more than a little of anything: record_and_start() then says what there is to say. The future
    /// waits for it when it is destroyed.
    [[nodiscard]] std::future<std::optional<recorder::Recording>>
    begin_recording(const std::filesystem::path& module, const std::string& function, const Trial& trial) const;

    [[nodiscard]] const gpu::ShapeBuffers& buffers() const { return *buffers_; }
    /// Of inputs, then outputs.
    [[nodiscard]] std::vector<recipe::Address> addresses() const;

private:
    [[nodiscard]] recorder::Setup setup() const;

    const Task& task_;
    const SuitePaths& paths_;
    gpu::Executor& executor_;
    recorder::Limits limits_;
    std::optional<gpu::ShapeBuffers> buffers_;
    std::uint64_t free_bytes_ = 0; ///< beside the buffers, that a candidate may believe to be free
    const Shape* shape_ = nullptr;
};

} // namespace cudabench
