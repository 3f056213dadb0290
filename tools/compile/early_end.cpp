#include "compile/early_end.h"

#include <algorithm>
#include <cstddef>

namespace cudabench::compile {

std::string early_end(std::string_view output, const Arguments& arguments, std::string_view source) {
    const std::string_view before = output.substr(0, output.find("): error"));
    const std::string_view place = before.substr(before.rfind('\n') + 1); // 0 in the first line
    if (before.size() == output.size() || place.find("/contracts/end_of_source.h(") == std::string_view::npos)
        return {};
    const std::string_view text = source.substr(0, source.find_last_not_of(" \t\r\n") + 1);
    const auto line = 1 + std::ranges::count(text, '\n');
    return arguments.source.string() + "(" + std::to_string(line) +
           "): error: the source ends within a declaration: something is missing, such as a bracket or a semicolon\n";
}

} // namespace cudabench::compile
