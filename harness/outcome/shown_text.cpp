#include "outcome/shown_text.h"

#include "outcome/harmless_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cudabench {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
               return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
}

/// What CTest looks for in the output of tests, in lower case.
constexpr std::array<std::string_view, 4> tags{"<ctest", "<dart", "</ctest", "</dart"};
constexpr std::string_view switch_to_full_output = "ctest_full_output";

bool begins_tag(std::string_view text) {
    return starts_with_ignoring_case(text, switch_to_full_output) ||
           std::ranges::any_of(tags, [&](std::string_view start) { return starts_with_ignoring_case(text, start); });
}

/// `##[`, `##vso[`, `##teamcity[`
bool begins_command(std::string_view text) {
    if (!text.starts_with("##"))
        return false;
    text.remove_prefix(2);
    const auto end = std::ranges::find_if_not(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return end != text.end() && *end == '[';
}

/// Services skip spaces, also those of Unicode: bytes beyond ASCII are taken for such.
bool is_visible(char c) {
    return c > ' ' && c <= '~';
}

} // namespace

std::string shown_text(std::string_view said) {
    const std::string text = harmless_text(std::string(said));
    std::string shown;
    bool line_begins = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = std::string_view(text).substr(i);
        shown += text[i];
        if (begins_tag(rest) || begins_command(rest) || (line_begins && rest.starts_with("::")))
            shown += ' ';
        line_begins = text[i] == '\n' || (line_begins && !is_visible(text[i]));
    }
    return shown;
}

} // namespace cudabench
