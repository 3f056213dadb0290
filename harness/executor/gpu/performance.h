#pragma once

#include "executor/gpu/deadline.h"
#include "executor/gpu/device_text.h"
#include "executor/gpu/gpu_lock.h"
#include "executor/gpu/perform.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabench::gpu {

/// One performance of a recipe, as a whole or piece by piece as the recorder sends it: perform() the operations before
/// a question, answer() it, and so on, finish(). Errors are named, waiting is bounded, device text is captured.
/// Failures: stage launch, a CUDA error or the time limit (driver::lost() then says whether the process can go on).
class Performance {
public:
    /// `limit` bounds all waits for the device together. Holds `lock` shared from its first work on the device to the
    /// end: not while host code has not asked for any.
    Performance(GpuLock& lock, const Device& device, Program& program, Workspace& workspace, Seconds limit);
    /// Waits, within the limit, for what was started and not finished: nothing may run on unseen.
    ~Performance();
    Performance(const Performance&) = delete;
    Performance& operator=(const Performance&) = delete;

    /// Starts the operations; they must have been validated.
    Expected<Done, Failure> perform(std::span<const recipe::Operation> operations);
    /// Performs what was started and returns the bytes asked for, row_bytes x rows, packed.
    Expected<std::vector<std::byte>, Failure> answer(const recipe::CopyToHost& question);
    Expected<std::uint64_t, Failure> answer(const recipe::CreateTexture& question);
    Expected<std::vector<std::byte>, Failure> answer(const recipe::TensorMap& question) const;
    Expected<std::uint64_t, Failure> answer(const recipe::ClusterOccupancy& question);
    /// Performs what was started, and leaves the GPU to others. Returns what device code printed, the first 4 KiB.
    Expected<std::string, Failure> finish();

    /// Also for timing: events before the first operation of the device and after the last.
    void mark(CUevent start, CUevent end);

private:
    /// Calls `work`, which may throw driver::DriverError.
    template <typename Work> auto guarded(Work work) -> Expected<decltype(work()), Failure>;
    Expected<Done, Failure> wait_for(CUstream stream);
    /// Joins all streams and waits.
    Expected<Done, Failure> join();
    Expected<std::string, Failure> joined_text();
    void begin_work();

    GpuLock& lock_;
    std::optional<GpuLock::Shared> at_work_;
    const Device& device_;
    Seconds limit_; ///< of all waits together
    Seconds waited_{0};
    DeviceText text_;
    Performer performer_;
    CUevent end_mark_ = nullptr;
    bool finished_ = false;
};

/// The stage and words for a CUDA error while a candidate's operations were started or ran. `kernels`: mangled names of
/// those that it may come from.
[[nodiscard]] Failure candidate_failure(const driver::DriverError& error, std::span<const std::string> kernels);

/// ", kernel _Z5saxpyPfi", names cut to 200 characters, or ", in one of the kernels ..." with the first three; empty
/// without any.
[[nodiscard]] std::string of_kernels(std::span<const std::string> kernels);

} // namespace cudabench::gpu
