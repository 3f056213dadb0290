#pragma once

#include "case/task.h"
#include "case/trial.h"
#include "executor/cpu/memory.h"
#include "executor/cpu/performance.h"
#include "executor/cpu/program.h"
#include "recorder/record.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabench {

/// What a case works with on the CPU, as Workbench: buffers of one trial at a time, inputs drawn into them, host code
/// called with them.
class CpuWorkbench {
public:
    /// What became of a call. The recording's failure, if it has one, is `failure` too.
    struct Performed {
        recorder::Recording recording;
        std::optional<Failure> failure;
        std::string printed;  ///< by device code, or else by host code
        double seconds = 0;   ///< of the recipe, but for what was performed while it was recorded
        cpu::Counts counts{}; ///< of what was performed; those of accesses only if `how` watches them
    };

    /// `task` must outlive it.
    CpuWorkbench(const Task& task, std::filesystem::path recorder, const recorder::Limits& limits = {});

    /// Of host code from now on.
    void limit(const recorder::Limits& limits) { limits_ = limits; }

    /// Makes the memory that of the trial: its inputs, which nothing can write, and outputs full of poison, both
    /// exactly as long as they are.
    void open(const Trial& trial);

    /// Records the call of `function` in `module` with the open buffers and performs it. `program` holds the code of
    /// `module`.
    [[nodiscard]] Performed perform(cpu::Program& program, const std::filesystem::path& module,
                                    const std::string& function, const cpu::How& how);

    /// The bytes of an input or output as they are now.
    [[nodiscard]] std::span<const std::byte> input(std::size_t index) const;
    [[nodiscard]] std::span<const std::byte> output(std::size_t index) const;
    /// Of inputs, then outputs.
    [[nodiscard]] std::vector<recipe::Address> addresses() const;

private:
    struct Buffer {
        recipe::Address address = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] std::span<const std::byte> bytes_of(const Buffer& buffer) const;

    const Task& task_;
    std::filesystem::path recorder_;
    recorder::Limits limits_;
    const Shape* shape_ = nullptr;
    cpu::Memory memory_;
    std::vector<Buffer> inputs_;
    std::vector<Buffer> outputs_;
};

} // namespace cudabench
