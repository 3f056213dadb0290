#pragma once

#include "executor/cpu/code.h"
#include "executor/cpu/counts.h"
#include "executor/cpu/memory.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace cudabench::cpu {

class Images;
class Watched;

/// What a run may cost. Every kernel of a recipe draws on it.
struct Budget {
    std::atomic<std::int64_t> warp_steps{0}; ///< left
    std::chrono::steady_clock::time_point deadline;
};

/// One launch of a kernel, shared by its blocks and the host threads that run them.
struct Grid {
    const Code* code = nullptr;
    const Memory* memory = nullptr;
    const Images* images = nullptr; ///< null: none
    std::string kernel;             ///< mangled name
    recipe::Extent grid;
    recipe::Extent block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::span<const std::byte> parameters; ///< as the kernel declares them
    std::uint64_t workspace = 0;           ///< device address of what %envreg1 and %envreg2 give
    Budget* budget = nullptr;
    std::atomic<bool> stopped{false};
    std::atomic<std::uint64_t> call_frames{0}; ///< bytes of registers that calls took beyond those of the kernel
    Watched* watched = nullptr;                ///< null: accesses are not watched
    Counts counts;                             ///< of the threads that have ended

    /// What device code prints, the first 4 KiB.
    void print(std::string_view text);
    [[nodiscard]] std::string printed();
    void add(const Counts& more);

    [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid.x} * grid.y * grid.z; }
    [[nodiscard]] std::uint32_t block_threads() const { return block.x * block.y * block.z; }

private:
    std::mutex mutex_;
    std::string printed_;
};

/// Runs all blocks, started in the order of their indices, on `threads` host threads. Failures: stage launch, a fault
/// of device code or an exhausted budget; stage contract, something that the interpreter does not know.
[[nodiscard]] Expected<Done, Failure> run_grid(Grid& grid, unsigned threads);

} // namespace cudabench::cpu
