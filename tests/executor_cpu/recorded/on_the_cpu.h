#pragma once

#include "executor/cpu/performance.h"
#include "recipe/message.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabench::cpu {

/// One call of a candidate: recorded confined, and performed by the CPU executor.
class OnTheCpu {
public:
    /// Throws std::runtime_error if its device code cannot be read.
    explicit OnTheCpu(const std::string& module);

    template <typename T> void add_input(const std::vector<T>& values) {
        add(std::as_bytes(std::span(values)), values.size() * sizeof(T), false);
    }
    template <typename T> void add_output(std::size_t size) { add({}, size * sizeof(T), true); }

    /// Returns what failed, or nothing.
    std::string call(const std::string& function, const std::vector<std::int64_t>& dims, unsigned threads,
                     std::optional<Findings> watch = {}, const std::vector<double>& params = {});

    /// What the buffer holds, inputs and outputs counted together.
    template <typename T> [[nodiscard]] std::vector<T> values(std::size_t buffer) const {
        const recipe::Buffer& asked = buffers_.at(buffer);
        std::vector<T> values(asked.bytes / sizeof(T));
        std::memcpy(values.data(), memory_.at(asked.address, asked.bytes), asked.bytes);
        return values;
    }

private:
    void add(std::span<const std::byte> bytes, std::size_t size, bool writable);

    std::string module_;
    Program program_;
    Memory memory_;
    std::vector<recipe::Buffer> buffers_;
};

} // namespace cudabench::cpu
