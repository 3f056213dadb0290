#include "ptx/lexer.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>

namespace cudabench::ptx {
namespace {

constexpr std::string_view punctuation = "(){}[]<>,;:=+-!~|@*/";

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Expected<std::vector<Token>, Failure> run() {
        while (true) {
            if (auto skipped = skip_blanks(); !skipped)
                return skipped.error();
            if (at_ == text_.size())
                break;
            auto token = next();
            if (!token)
                return token.error();
            tokens_.push_back(*token);
        }
        tokens_.push_back({Token::Kind::end, {}, 0, line_});
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    /// The characters from here on that `accept` takes.
    template <typename Accept> std::string_view take_while(Accept accept) {
        const std::size_t start = at_;
        while (at_ < text_.size() && accept(text_[at_]))
            ++at_;
        return text_.substr(start, at_ - start);
    }

    Expected<Done, Failure> skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n')
                ++line_;
            if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                ++at_;
            } else if (peek() == '/' && peek(1) == '/') {
                take_while([](char c) { return c != '\n'; });
            } else if (peek() == '/' && peek(1) == '*') {
                const auto end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos)
                    return error_in_line(line_, "a comment does not end");
                for (; at_ < end + 2; ++at_)
                    line_ += text_[at_] == '\n' ? 1 : 0;
            } else {
                break;
            }
        }
        return Done{};
    }

    Expected<Token, Failure> next() {
        const char c = peek();
        if (c == '"')
            return quoted();
        if (is_digit(c))
            return number();
        // Behind a name it is a modifier: tex.2d.
        if (c == '.' && is_digit(peek(1)) && (at_ == 0 || !is_word_character(text_[at_ - 1])))
            return error_in_line(line_, "a number starts with a dot");
        if (c == '.') {
            ++at_;
            const auto text = take_while([this](char d) { return is_word_character(d) || is_scope_colon(d); });
            if (text.empty())
                return error_in_line(line_, "a dot without a name");
            return Token{Token::Kind::dot_word, text, 0, line_};
        }
        if (is_word_character(c))
            return Token{Token::Kind::word, take_while(is_word_character), 0, line_};
        if (punctuation.find(c) == std::string_view::npos)
            return error_in_line(line_, fmt::format("unexpected character 0x{:02x}", static_cast<unsigned char>(c)));
        return Token{Token::Kind::character, text_.substr(at_++, 1), 0, line_};
    }

    /// Whether the colon here belongs to "::" inside a modifier.
    [[nodiscard]] bool is_scope_colon(char c) const {
        return c == ':' && (peek(1) == ':' || (at_ > 0 && text_[at_ - 1] == ':'));
    }

    Expected<Token, Failure> quoted() {
        const std::size_t start = ++at_;
        const auto end = text_.find_first_of("\"\n", start);
        if (end == std::string_view::npos || text_[end] == '\n')
            return error_in_line(line_, "a string does not end");
        at_ = end + 1;
        return Token{Token::Kind::string, text_.substr(start, end - start), 0, line_};
    }

    Expected<Token, Failure> number() {
        const bool prefixed = peek() == '0' && at_ + 1 < text_.size();
        const char prefix = prefixed ? text_[at_ + 1] : '\0';
        if (prefix == 'f' || prefix == 'F')
            return hexadecimal(Token::Kind::single, 8);
        if (prefix == 'd' || prefix == 'D')
            return hexadecimal(Token::Kind::real, 16);
        if (prefix == 'x' || prefix == 'X')
            return hexadecimal(Token::Kind::integer, 0);
        const std::size_t start = at_;
        take_while(is_digit);
        if (peek() == '.' && is_digit(peek(1)))
            return decimal_real(start);
        const std::string_view digits = text_.substr(start, at_ - start);
        const bool binary = digits == "0" && (peek() == 'b' || peek() == 'B');
        if (binary) {
            ++at_;
            return integer(take_while(is_digit), 2);
        }
        return integer(digits, digits.size() > 1 && digits.front() == '0' ? 8 : 10);
    }

    Expected<Token, Failure> hexadecimal(Token::Kind kind, std::size_t wanted) {
        at_ += 2;
        const auto digits = take_while([](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
        if (wanted != 0 && digits.size() != wanted)
            return error_in_line(line_, "a floating-point constant of wrong length");
        auto token = integer(digits, 16);
        if (token)
            token->kind = kind;
        return token;
    }

    Expected<Token, Failure> integer(std::string_view digits, int base) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (error != std::errc() || end != digits.data() + digits.size())
            return error_in_line(line_, fmt::format("not a number: {}", digits));
        if (peek() == 'U')
            ++at_;
        if (is_word_character(peek()))
            return error_in_line(line_, "a number runs into a name");
        return Token{Token::Kind::integer, digits, value, line_};
    }

    Expected<Token, Failure> decimal_real(std::size_t start) {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
        if (error != std::errc())
            return error_in_line(line_, "a floating-point constant out of range");
        at_ = static_cast<std::size_t>(end - text_.data());
        return Token{Token::Kind::real, text_.substr(start, at_ - start), std::bit_cast<std::uint64_t>(value), line_};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    std::vector<Token> tokens_;
};

} // namespace

Expected<std::vector<Token>, Failure> tokenize(std::string_view text) {
    return Lexer(text).run();
}

Failure error_in_line(std::uint32_t line, std::string_view what) {
    return {Stage::contract, fmt::format("PTX line {}: {}", line, what)};
}

} // namespace cudabench::ptx
