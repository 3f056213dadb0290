#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench::ptx {

/// One token of PTX text.
struct Token {
    enum class Kind : std::uint8_t {
        word,      ///< an identifier: letters, digits, _ $ %
        dot_word,  ///< a directive or modifier, `text` without its dot; "L1::no_allocate" is one
        integer,   ///< `bits`
        single,    ///< 0f3F800000: `bits` of a float
        real,      ///< 0d3FF0000000000000 or 1.5: `bits` of a double
        string,    ///< `text` without its quotes
        character, ///< one of ( ) { } [ ] < > , ; : = + - ! ~ | @ * /
        end,
    };
    Kind kind = Kind::end;
    std::string_view text;
    std::uint64_t bits = 0;
    std::uint32_t line = 0; ///< from 1

    [[nodiscard]] bool is(char character) const { return kind == Kind::character && text.front() == character; }
    [[nodiscard]] bool is_dot(std::string_view word) const { return kind == Kind::dot_word && text == word; }
};

/// The tokens of `text`, views into it, the last of kind `end`. Comments are left out. Accepts any bytes; a Failure of
/// stage contract names the line.
[[nodiscard]] Expected<std::vector<Token>, Failure> tokenize(std::string_view text);

/// "PTX line 12: ...", of stage contract.
[[nodiscard]] Failure error_in_line(std::uint32_t line, std::string_view what);

} // namespace cudabench::ptx
