#include "compile/messages.h"

#include <string_view>

namespace cudabench::compile {
namespace {

constexpr std::string_view advice =
    "cudabench-compile: a candidate can include headers of the toolkit and the system, those beside it and in "
    "subfolders "
    "without sources (.h, .cuh, .hpp, .hh, .inl), and those below INCLUDE_DIRECTORIES of cudabench_add_candidates()\n";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// As g++ says it of an #include: `file:line:column: fatal error: <header>: Permission denied`.
bool header_was_closed(std::string_view output) {
    constexpr std::string_view refusal = ": Permission denied";
    for (std::size_t at = output.find(refusal); at != std::string_view::npos; at = output.find(refusal, at + 1)) {
        const std::size_t start = output.rfind('\n', at) + 1; // 0 in the first line
        if (output.substr(start, at - start).find(": fatal error: ") != std::string_view::npos)
            return true;
    }
    return false;
}

} // namespace

std::string for_author(std::string output, const Arguments& arguments) {
    if (arguments.source_name != arguments.source) {
        replace_all(output, arguments.source_folder + '/', (arguments.source.parent_path() / "").string());
        replace_all(output, arguments.source_name.string(), arguments.source.string());
    }
    if (header_was_closed(output))
        output += advice;
    return output;
}

} // namespace cudabench::compile
