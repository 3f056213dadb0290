#include "case/shown_text.h"

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

} // namespace

std::string shown_text(std::string_view said) {
    const std::string text = harmless_text(std::string(said));
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = std::string_view(text).substr(i);
        shown += text[i];
        const bool tag =
            std::ranges::any_of(tags, [&](std::string_view start) { return starts_with_ignoring_case(rest, start); });
        if (tag || starts_with_ignoring_case(rest, switch_to_full_output))
            shown += ' ';
    }
    return shown;
}

} // namespace cudabench
