#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace cudabench::device_code {

/// What ptxas -v says of a kernel.
struct Reported {
    std::uint32_t registers = 0;
    std::uint32_t shared_bytes = 0;
    std::uint32_t stack_bytes = 0;
};

/// By mangled name, from a log of nvcc -Xptxas -v for one architecture.
[[nodiscard]] std::map<std::string, Reported> read_ptxas_report(const std::string& path);

} // namespace cudabench::device_code
