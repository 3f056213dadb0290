#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the recorder process says of itself on descriptor 4, a line each. The first line is written before any code
/// of the candidate is loaded, so it can be trusted; every later one may be the candidate's.
namespace cudabench::recorder {

inline constexpr std::string_view confined_word = "confined";
inline constexpr std::string_view unconfined_word = "unconfined: ";
inline constexpr std::string_view failed_word = "failed: ";
inline constexpr std::string_view note_word = "note: ";

struct Report {
    bool confined = false;
    std::optional<std::string> refusal; ///< why the process could not be confined
    std::optional<std::string> failure; ///< the first one reported
    std::vector<std::string> notes;
};

/// A last line that was cut off is left out.
[[nodiscard]] Report read_report(std::string_view text);

} // namespace cudabench::recorder
