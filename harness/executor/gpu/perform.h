#pragma once

#include "driver/memory.h"
#include "executor/gpu/device.h"
#include "executor/gpu/program.h"
#include "executor/gpu/stream_order.h"
#include "executor/gpu/workspace.h"
#include "recipe/message.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cudabench::gpu {

/// Starts the operations of a validated recipe (recipe/validate.h) on the device's stream and others that fork from it
/// and join it at the end; waits for nothing, so that the calls can also be captured into a graph. To be kept until the
/// work (of the graph) is done, and used for one performance.
/// Functions throw driver::DriverError, and std::logic_error for what validation should have refused.
class Performer {
public:
    /// All must outlive the performer.
    Performer(const Device& device, Program& program, Workspace& workspace);

    /// The first operation of the device will record `event` before it.
    void mark_start(CUevent event) { start_mark_ = event; }
    void begin() { order_.begin(); }
    void add(std::span<const recipe::Operation> operations);
    void end() { order_.join(); }

    /// Starts to copy what `question` asks for to `bytes` (row_bytes x rows, packed) and returns the stream in which it
    /// does; later operations come after it.
    CUstream read(const recipe::CopyToHost& question, std::span<std::byte> bytes);

    /// Makes a texture or surface object; its handle.
    std::uint64_t create_texture(const recipe::CreateTexture& question) {
        return workspace_.textures().create(question);
    }
    /// Blocks of the largest cluster of a launch, or how many of its clusters the device holds at once.
    [[nodiscard]] std::uint64_t cluster_occupancy(const recipe::ClusterOccupancy& question);

    /// The names of the kernels started so far, each once.
    [[nodiscard]] const std::vector<std::string>& kernels() const noexcept { return kernels_; }

private:
    void start(const recipe::Allocate& operation) { workspace_.allocate(operation); }
    void start(const recipe::Release&) {} // its pages stay until the recipe ends
    void start(const recipe::CreateStream& operation) { order_.create(operation); }
    void start(const recipe::Launch& operation);
    void start(const recipe::Fill& operation);
    void start(const recipe::CopyToDevice& operation);
    void start(const recipe::CopyOnDevice& operation);
    void start(const recipe::CopyToHost& operation);
    void start(const recipe::RecordEvent& operation) { order_.record(operation); }
    void start(const recipe::WaitEvent& operation) { order_.wait(operation); }
    void start(const recipe::Synchronize& operation) { order_.synchronize(operation); }
    void start(const recipe::AllocateArray& operation) { workspace_.textures().allocate(operation); }
    void start(const recipe::CreateTexture& operation) { workspace_.textures().create(operation); }

    const Kernel& kernel_of(const recipe::Launch& operation);
    void set_attributes(const recipe::Launch& operation, const Kernel& kernel) const;

    /// The stream for an operation of the device that comes next.
    CUstream enter(recipe::StreamId stream);
    [[nodiscard]] CUdeviceptr address_of(const recipe::Place& place) const;
    void set_source(CUDA_MEMCPY3D& copied, const recipe::Place& place, std::uint64_t pitch) const;
    void set_destination(CUDA_MEMCPY3D& copied, const recipe::Place& place, std::uint64_t pitch) const;
    void copy(CUDA_MEMCPY3D& copied, const recipe::Region& region, CUstream stream) const;

    const Device& device_;
    Program& program_;
    Workspace& workspace_;
    StreamOrder order_;
    CUevent start_mark_ = nullptr;
    std::vector<driver::PinnedMemory> staged_; ///< data of copies to the device
    std::vector<std::string> kernels_;
};

} // namespace cudabench::gpu
