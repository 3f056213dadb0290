#include "compile/resource_usage.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace cudabench::compile {
namespace {

constexpr std::string_view information = "ptxas info";
constexpr std::string_view entry = "Compiling entry function '";

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

bool is_information(std::string_view line) {
    return line.starts_with(information);
}

/// "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", which follows the function's name.
bool is_stack_line(std::string_view line) {
    return line.starts_with(' ') && line.find(" bytes stack frame") != std::string_view::npos;
}

/// The sum of the numbers directly before each `unit`: "356 bytes cmem[0], 8 bytes cmem[2]" has 364 of " bytes cmem".
std::int64_t sum_before(std::string_view line, std::string_view unit) {
    std::int64_t sum = 0;
    for (std::size_t at = line.find(unit); at != std::string_view::npos; at = line.find(unit, at + 1)) {
        std::size_t start = at;
        while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9')
            --start;
        std::int64_t number = 0;
        std::from_chars(line.data() + start, line.data() + at, number);
        sum += number;
    }
    return sum;
}

} // namespace

std::vector<KernelResources> kernels_in(std::string_view output) {
    std::vector<KernelResources> kernels;
    bool in_entry = false; // lines of called functions and of the module come in between
    for (const std::string_view line : lines_of(output)) {
        if (const std::size_t at = line.find(entry); is_information(line) && at != std::string_view::npos) {
            const std::string_view name = line.substr(at + entry.size());
            kernels.push_back({.name = std::string(name.substr(0, name.find('\'')))});
            in_entry = true;
        } else if (is_information(line) && line.find("Function properties for ") != std::string_view::npos) {
            in_entry = !kernels.empty() && line.find("for " + kernels.back().name) != std::string_view::npos;
        } else if (in_entry && is_stack_line(line)) {
            kernels.back().stack_bytes = sum_before(line, " bytes stack frame");
            kernels.back().spill_stores = sum_before(line, " bytes spill stores");
            kernels.back().spill_loads = sum_before(line, " bytes spill loads");
        } else if (!kernels.empty() && is_information(line) && line.find(": Used ") != std::string_view::npos) {
            kernels.back().registers = sum_before(line, " registers");
            kernels.back().shared_bytes = sum_before(line, " bytes smem");
            kernels.back().constant_bytes = sum_before(line, " bytes cmem[");
        }
    }
    return kernels;
}

std::string without_resource_usage(std::string_view output) {
    std::string rest;
    for (const std::string_view line : lines_of(output))
        if (!is_information(line) && !is_stack_line(line))
            rest.append(line);
    return rest;
}

} // namespace cudabench::compile
