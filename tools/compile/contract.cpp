#include "compile/contract.h"

#include <algorithm>
#include <cstddef>

namespace cudabench::compile {
namespace {

constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view message = "): error: static assertion failed with \"CUDABENCH_CONTRACT: ";

/// Takes what stands at the start; false if it does not.
bool take(std::string_view& text, std::string_view start) {
    if (!text.starts_with(start))
        return false;
    text.remove_prefix(start.size());
    return true;
}

bool take_some_of(std::string_view& text, std::string_view characters) {
    const std::size_t count = std::min(text.find_first_not_of(characters), text.size());
    text.remove_prefix(count);
    return count > 0;
}

/// <folder>/contracts/<task>.h(<line>): error: static assertion failed with "CUDABENCH_CONTRACT: ...
bool is_refusal(std::string_view line, std::string_view folder) {
    return take(line, folder) && take(line, "/contracts/") && take_some_of(line, name_characters) &&
           take(line, ".h(") && take_some_of(line, digits) && take(line, message);
}

} // namespace

bool refused_by_contract(std::string_view output, const Arguments& arguments) {
    while (!output.empty()) {
        const std::string_view line = output.substr(0, output.find('\n'));
        for (const std::string_view word : arguments.command)
            if (word.size() > 2 && word.starts_with("-I") && word.substr(2) != arguments.source_folder &&
                is_refusal(line, word.substr(2)))
                return true;
        output.remove_prefix(std::min(line.size() + 1, output.size()));
    }
    return false;
}

} // namespace cudabench::compile
