#pragma once

#include "executor/cpu/grid.h"
#include "executor/cpu/images.h"
#include "executor/cpu/memory.h"
#include "executor/cpu/program.h"
#include "executor/cpu/watch.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabench::cpu {

/// How a recipe is performed.
struct How {
    unsigned threads = 1;                                  ///< of the host
    std::int64_t warp_steps = std::int64_t{4'000'000'000}; ///< interpreted instructions of warps, all kernels
    std::chrono::duration<double> time{30};                ///< of the wall
    std::uint32_t poison = 0;                              ///< what allocations start with
    std::optional<Findings> watch{}; ///< none: accesses are neither counted nor checked beyond their bounds
};

/// One performance of a recipe, as gpu::Performance: piece by piece as the recorder sends it. Every operation is done
/// when it is asked for, one after another, whatever its stream: an order that every recipe allows.
/// Failures: stage launch, a fault of device code or a limit; stage contract, an instruction that the interpreter
/// lacks.
class Performance {
public:
    /// All must outlive it. Variables of `program` have been placed in `memory`.
    Performance(Memory& memory, Program& program, const How& how);

    /// The operations must have been validated.
    Expected<Done, Failure> perform(std::span<const recipe::Operation> operations);
    Expected<std::vector<std::byte>, Failure> answer(const recipe::CopyToHost& question);
    /// Makes the object; the question itself becomes an operation of the recipe.
    Expected<std::uint64_t, Failure> answer(const recipe::CreateTexture& question);
    /// Returns what device code printed, the first 4 KiB.
    Expected<std::string, Failure> finish() { return printed_; }

    /// Of everything so far.
    [[nodiscard]] const Counts& counts() const { return counts_; }

private:
    using Result = Expected<Done, Failure>;

    Result start(const recipe::Allocate& operation);
    Result start(const recipe::Release& operation);
    Result start(const recipe::CreateStream&) { return Done{}; }
    Result start(const recipe::Launch& operation);
    Result start(const recipe::Fill& operation);
    Result start(const recipe::CopyToDevice& operation);
    Result start(const recipe::CopyOnDevice& operation);
    Result start(const recipe::CopyToHost&) { return Done{}; }
    Result start(const recipe::RecordEvent&) { return Done{}; }
    Result start(const recipe::WaitEvent&) { return Done{}; }
    Result start(const recipe::Synchronize&) { return Done{}; }
    Result start(const recipe::AllocateArray& operation);
    Result start(const recipe::CreateTexture& operation);

    [[nodiscard]] Address address_of(const recipe::Place& place) const;
    /// From row to row: that of an array is its own.
    [[nodiscard]] std::uint64_t pitch_of(const recipe::Place& place, std::uint64_t asked) const;
    /// The host wrote (or read) bytes of device memory.
    void note_write(Address address, std::uint64_t bytes);
    void note_read(Address address, std::uint64_t bytes);

    Memory& memory_;
    Program& program_;
    Images images_;
    How how_;
    Budget budget_;
    std::string printed_;
    Counts counts_;
    std::unique_ptr<Watched> watched_;
};

} // namespace cudabench::cpu
