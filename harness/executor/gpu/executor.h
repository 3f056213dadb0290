#pragma once

#include "executor/gpu/address_range.h"
#include "executor/gpu/device.h"
#include "executor/gpu/device_work.h"
#include "executor/gpu/gpu_lock.h"
#include "executor/gpu/memory_share.h"
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
#include <optional>
#include <span>
#include <vector>

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
///     gpu::Seal sealed = executor->start_seal(buffers.outputs()[0]);
///     sealed.close();
///
/// Functions that return no Expected throw driver::DriverError.
class Executor {
public:
    /// On the GPU that CTest assigned, or the first. Waits until `memory` bytes of it are not set aside for other
    /// processes, and while another process times on it. 0: the uses of the executor set aside what they need
    /// (share_of_memory()); who holds one share must not wait for another. Failure: stage not_run without a GPU, stage
    /// fault if it cannot be used.
    static Expected<std::unique_ptr<Executor>, Failure> create(std::uint64_t memory = 0);
    /// Waits to free what is on the GPU while another process times on it.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// About what an executor takes itself, bytes.
    static constexpr std::uint64_t context_bytes = std::uint64_t{1} << 30;

    [[nodiscard]] const Device& device() const noexcept { return device_; }
    [[nodiscard]] const device::Description& description() const noexcept { return device_.description(); }
    [[nodiscard]] GpuLock& lock() noexcept { return lock_; }
    /// Around everything that is done on the GPU, but for performances, which see to it themselves.
    [[nodiscard]] DeviceWork work() { return {lock_, device_}; }
    /// A part of its memory, for one use of an executor that was created with none. Waits as create() does.
    [[nodiscard]] std::unique_ptr<MemoryShare> share_of_memory(std::uint64_t bytes) const;
    /// Seconds that this process has waited for others to leave the GPU and its memory.
    [[nodiscard]] double waited() const noexcept { return lock_.waited() + share_.waited(); }
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

    /// Where those will lie, inputs first.
    [[nodiscard]] std::vector<recipe::Address> addresses(std::span<const std::uint64_t> inputs,
                                                         std::span<const std::uint64_t> outputs,
                                                         Placement placement) const {
        return ShapeBuffers::addresses(device_, range_, inputs, outputs, placement);
    }

    /// Before another recipe: no memory of the last one is left; what is allocated will be poisoned so.
    void start_recipe(PoisonPattern pattern, std::uint64_t seed);
    /// Before the same recipe is performed again: globals as after loading, workspace poisoned. Starts the work.
    void restart_recipe(const Program& program, PoisonPattern pattern, std::uint64_t seed);

    /// A performance piece by piece.
    [[nodiscard]] Performance performance(Program& program, Seconds limit) {
        return {lock_, device_, program, workspace_, limit};
    }
    /// A whole recipe that asks nothing. Returns what device code printed.
    Expected<std::string, Failure> perform(Program& program, const recipe::Recipe& recipe, Seconds limit);

    [[nodiscard]] Seal start_seal(const Buffer& buffer) const { return {device_, buffer}; }
    /// Copies small things to the host. Waits for all work first.
    void read(CUdeviceptr address, std::span<std::byte> bytes) const;
    /// The other way.
    void write(CUdeviceptr address, std::span<const std::byte> bytes) const;
    void synchronize() const { device_.synchronize(); }

private:
    Executor(const driver::Driver& driver, const Gpu& gpu, std::uint64_t memory);

    GpuLock lock_;
    MemoryShare share_;
    std::optional<GpuLock::Shared> at_work_; ///< while the members below are made and destroyed
    Device device_;
    AddressRange range_;
    Poison poison_;
    Workspace workspace_;
};

} // namespace cudabench::gpu
