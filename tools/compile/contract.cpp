#include "compile/contract.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace cudabench::compile {
namespace {

constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view error = "): error";
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

bool is_refusal_of_any(std::string_view line, const Arguments& arguments) {
    return std::ranges::any_of(arguments.command, [&](std::string_view word) {
        return word.size() > 2 && word.starts_with("-I") && word.substr(2) != arguments.source_folder &&
               is_refusal(line, word.substr(2));
    });
}

std::size_t count_of(std::string_view text, std::string_view words) {
    std::size_t count = 0;
    for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + words.size()))
        ++count;
    return count;
}

/// <errors> errors detected in the compilation of "<file>".
bool is_total(std::string_view line, std::size_t errors) {
    return take(line, std::to_string(errors)) && (take(line, " errors") || take(line, " error")) &&
           take(line, " detected in the compilation of ");
}

} // namespace

bool refused_by_contract(std::string_view output, const Arguments& arguments) {
    std::size_t refusals = 0;
    std::string_view last;
    for (std::string_view rest = output; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        refusals += is_refusal_of_any(line, arguments) ? 1 : 0;
        last = line.empty() ? last : line;
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return refusals > 0 && refusals == count_of(output, error) && is_total(last, refusals);
}

} // namespace cudabench::compile
