#pragma once

#include "compile/inputs.h"
#include "compile/resource_usage.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::compile {

/// What happened to one candidate's compilation, as JSON for the case process and the report.
struct Record {
    std::string status = "ok";     ///< ok, failed, timeout or crashed (ended by a signal)
    std::string stage = "compile"; ///< compile, or contract: `solve` has a type that the task does not accept
    std::string step = "compile";  ///< the command that decided: compile or link
    int code = 0;                  ///< exit status, or the signal of a crash
    double seconds = 0;            ///< of both steps
    std::int64_t max_rss = 0;      ///< bytes
    std::vector<std::string> command;
    std::vector<std::string> link_command; ///< empty before the link
    std::string output;                    ///< the tools' stdout and stderr
    bool output_truncated = false;
    bool confined = true;
    std::string source;
    std::string source_sha256;
    std::vector<Input> inputs; ///< headers that the candidate is compiled with, but for the system's
    std::vector<KernelResources> kernels;
};

/// Replaces the file in one step: readers see the old record or the new one. Throws std::system_error.
void write_record(const std::filesystem::path& path, const Record& record);

/// The record that an earlier step wrote; nothing if there is none or it is corrupt.
[[nodiscard]] std::optional<Record> read_record(const std::filesystem::path& path);

} // namespace cudabench::compile
