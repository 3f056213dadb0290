#include "compile/printable.h"

#include <cstddef>

namespace cudabench::compile {
namespace {

bool is_control(unsigned char byte) {
    return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

/// U+0080 to U+009F in UTF-8.
bool is_c1(unsigned char first, unsigned char second) {
    return first == 0xc2 && second >= 0x80 && second <= 0x9f;
}

} // namespace

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool c1 = i + 1 < text.size() && is_c1(byte, static_cast<unsigned char>(text[i + 1]));
        result.push_back(c1 || is_control(byte) ? '?' : text[i]);
        i += c1 ? 1 : 0;
    }
    return result;
}

} // namespace cudabench::compile
