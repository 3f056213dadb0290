#pragma once

#include "ptx/lexer.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cudabench::ptx {

/// What the parser's functions throw; parse() turns it into a Failure.
struct ParseError : std::runtime_error {
    ParseError(std::uint32_t where, const std::string& what) : std::runtime_error(what), line(where) {}
    std::uint32_t line;
};

/// A place in the tokens of a module. Reads past the end give the end token.
class Cursor {
public:
    /// `tokens` end with the end token and outlive the cursor.
    explicit Cursor(std::span<const Token> tokens) : tokens_(tokens) {}

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    const Token& next() {
        const Token& token = peek();
        at_ = std::min(at_ + 1, tokens_.size() - 1);
        return token;
    }
    [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::end; }
    [[nodiscard]] std::uint32_t line() const { return peek().line; }

    bool accept(char character) {
        const bool found = peek().is(character);
        if (found)
            next();
        return found;
    }
    bool accept_dot(std::string_view word) {
        const bool found = peek().is_dot(word);
        if (found)
            next();
        return found;
    }
    void expect(char character) {
        if (!accept(character))
            fail(std::string("expected '") + character + "'");
    }
    std::string_view expect_word() {
        if (peek().kind != Token::Kind::word)
            fail("expected a name");
        return next().text;
    }
    /// An integer, with its sign.
    std::uint64_t expect_integer() {
        const bool negative = accept('-');
        const bool inverted = !negative && accept('~');
        if (peek().kind != Token::Kind::integer)
            fail("expected a number");
        const std::uint64_t value = next().bits;
        return negative ? 0 - value : inverted ? ~value : value;
    }

    [[noreturn]] void fail(const std::string& what) const {
        const Token& token = peek();
        throw ParseError(token.line,
                         at_end() ? what + ", found the end" : what + ", found '" + std::string(token.text) + "'");
    }

private:
    std::span<const Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace cudabench::ptx
