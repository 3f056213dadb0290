#pragma once

#include "executor/gpu/address_range.h"
#include "executor/gpu/device.h"
#include "executor/gpu/gpu_lock.h"
#include "executor/gpu/performance.h"
#include "executor/gpu/poison.h"
#include "executor/gpu/program.h"
#include "executor/gpu/seal.h"
#include "executor/gpu/shape_buffers.h"
#include "executor/gpu/workspace.h"
#include "recipe/message.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace cudabench::gpu {

/// The trusted side of a case on a GPU: memory that candidates are called with, their device code, and the performance
/// of their recipes. One a process. A case is, in outline:
///
///     auto executor = gpu::Executor::create();
///     auto program = executor->load(module);
///     gpu::ShapeBuffers buffers = executor->buffers(input_bytes, output_bytes, gpu::Placement::at_end);
///     { gpu::WritableInputs writable(buffers); /* generate at buffers.inputs()[i].address */ }
///     /* record with executor->workspace() and the buffers' addresses */
///     executor->start_recipe(pattern, seed);
///     buffers.poison_outputs(executor->poison(), pattern, seed);
///     auto text = executor->perform(program, recipe, limit);
///     gpu::Seal sealed = executor->seal(buffers.outputs()[0]);
///
/// Functions that return no Expected throw driver::DriverError.
class Executor {
public:
    /// Waits while another process times on the GPU. Failure: stage not_run without a GPU, stage fault if it cannot be
    /// used.
    static Expected<std::unique_ptr<Executor>, Failure> create();

    [[nodiscard]] const Device& device() const noexcept { return device_; }
    [[nodiscard]] const device::Description& description() const noexcept { return device_.description(); }
    [[nodiscard]] GpuLock& lock() noexcept { return lock_; }
    [[nodiscard]] const Poison& poison() const noexcept { return poison_; }
    [[nodiscard]] Workspace& workspace_memory() noexcept { return workspace_; }
    /// For the recorder.
    [[nodiscard]] recipe::Workspace workspace() const;
    /// For the recorder: what the candidate may believe to be free, bytes.
    [[nodiscard]] std::uint64_t free_memory() const;

    Expected<Program, Failure> load(const std::filesystem::path& shared_object) const {
        return Program::load(device_, shared_object);
    }

    /// Sizes in bytes.
    [[nodiscard]] ShapeBuffers buffers(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> outputs,
                                       Placement placement) const {
        return {device_, range_, inputs, outputs, placement};
    }

    /// Before another recipe: no memory of the last one is left; what is allocated will be poisoned so.
    void start_recipe(PoisonPattern pattern, std::uint64_t seed);
    /// Before the same recipe is performed again: globals as after loading, workspace poisoned. Starts the work.
    void restart_recipe(const Program& program, PoisonPattern pattern, std::uint64_t seed);

    /// A performance piece by piece.
    [[nodiscard]] Performance performance(Program& program, Seconds limit) {
        return {device_, program, workspace_, limit};
    }
    /// A whole recipe that asks nothing. Returns what device code printed.
    Expected<std::string, Failure> perform(Program& program, const recipe::Recipe& recipe, Seconds limit);

    /// Waits for all work first.
    [[nodiscard]] Seal seal(const Buffer& buffer) const { return {device_, buffer}; }
    /// Copies small things to the host. Waits for all work first.
    void read(CUdeviceptr address, std::span<std::byte> bytes) const;
    /// The other way.
    void write(CUdeviceptr address, std::span<const std::byte> bytes) const;
    void synchronize() const { device_.synchronize(); }

private:
    explicit Executor(const driver::Driver& driver);

    Device device_;
    GpuLock lock_;
    AddressRange range_;
    Poison poison_;
    Workspace workspace_;
};

} // namespace cudabench::gpu
