#pragma once

#include "case/case.h"
#include "case/suite_paths.h"
#include "case/trial.h"
#include "driver/memory.h"
#include "executor/gpu/executor.h"
#include "inputs/generate.h"
#include "recorder/ahead.h"
#include "recorder/record.h"

#include <cstdint>
#include <filesystem>
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

    /// From now on no code of a candidate is there: inputs need no protection, which takes the driver's time.
    void trust();

    /// Makes the buffers those of the trial's shape, placed as it says; their content is arbitrary.
    void open(const Trial& trial);
    /// Draws the trial's inputs. Starts the work in the device's stream.
    void generate(const Generator& generator, const Trial& trial);
    void poison_outputs(std::uint64_t seed);
    /// Both.
    void fill(const Generator& generator, const Trial& trial);
    [[nodiscard]] std::vector<gpu::Seal> seal_outputs() const;
    /// None if the rest of their memory pages is not as poison_outputs() left it.
    [[nodiscard]] std::optional<std::vector<gpu::Seal>> seal_intact_outputs() const;
    /// Copies that no candidate can reach, since none runs any more. Starts the work in the device's stream.
    [[nodiscard]] std::vector<driver::DeviceMemory> copy_outputs() const;

    /// Records the call of `function` in `module` with the open buffers, unless that was done `ahead`, performs what
    /// host code asks for meanwhile, and starts the rest of the recipe; all but performance.finish(). A failure of
    /// either is Recording::failure.
    [[nodiscard]] recorder::Recording record_and_start(gpu::Performance& performance, const gpu::Program& program,
                                                       const std::filesystem::path& module, const std::string& function,
                                                       std::optional<recorder::Recording> ahead = std::nullopt) const;

    /// Begins to record a call of `function` in `module` with the buffers as they will lie when `trial` is open;
    /// nothing of it is performed or validated.
    [[nodiscard]] recorder::RecordingAhead begin_recording(const std::filesystem::path& module,
                                                           const std::string& function, const Trial& trial) const;
    /// Begins to record what the reference is called with to verify `trial`.
    void begin_reference(recorder::RecordingsAhead& recordings, const Trial& trial) const;
    /// Of `function`, with the buffers as they lie when `trial` is open.
    [[nodiscard]] recipe::Call call(const std::string& function, const Trial& trial) const;

    [[nodiscard]] const gpu::ShapeBuffers& buffers() const { return *buffers_; }
    /// Of inputs, then outputs.
    [[nodiscard]] std::vector<recipe::Address> addresses() const;

private:
    void draw_inputs(const Generator& generator, const Trial& trial) const;
    [[nodiscard]] std::vector<gpu::Seal> start_seals() const;
    [[nodiscard]] recorder::Setup setup() const;

    const Task& task_;
    const SuitePaths& paths_;
    gpu::Executor& executor_;
    recorder::Limits limits_;
    std::optional<gpu::ShapeBuffers> buffers_;
    bool trusted_ = false;
    std::uint64_t free_bytes_ = 0; ///< beside the buffers, that a candidate may believe to be free
    const Shape* shape_ = nullptr;
};

} // namespace cudabench
