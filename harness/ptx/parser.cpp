#include "ptx/parser.h"

#include "ptx/cursor.h"
#include "ptx/parse_function.h"
#include "ptx/parse_variable.h"

#include <algorithm>
#include <iterator>

namespace cudabench::ptx {
namespace {

/// .section .debug_info { ... }: what follows up to the closing brace.
void skip_braces(Cursor& cursor) {
    while (!cursor.peek().is('{')) {
        if (cursor.at_end())
            cursor.fail("expected '{'");
        cursor.next();
    }
    int depth = 0;
    do {
        if (cursor.at_end())
            cursor.fail("expected '}'");
        depth += cursor.peek().is('{') ? 1 : cursor.peek().is('}') ? -1 : 0;
        cursor.next();
    } while (depth > 0);
}

void skip_line(Cursor& cursor, std::uint32_t line) {
    while (!cursor.at_end() && cursor.line() == line)
        cursor.next();
}

void parse_version(Cursor& cursor, Module& module) {
    // "9.0" is a number with a fraction to the lexer.
    const Token& token = cursor.next();
    if (token.kind != Token::Kind::real || token.text.size() != 3)
        cursor.fail("expected a version");
    module.version = static_cast<std::uint32_t>((token.text[0] - '0') * 10 + (token.text[2] - '0'));
}

void parse_item(Cursor& cursor, Module& module) {
    const Token& token = cursor.peek();
    if (token.kind != Token::Kind::dot_word)
        cursor.fail("expected a directive");
    bool external = false;
    while (true) {
        const Token& word = cursor.next();
        if (word.text == "extern") {
            external = true;
        } else if (word.text == "visible" || word.text == "weak" || word.text == "common") {
            continue;
        } else if (word.text == "entry" || word.text == "func") {
            if (word.text == "func")
                cursor.accept_dot("noreturn");
            module.functions.push_back(parse_function(cursor, word.text == "entry", external));
            return;
        } else if (const auto space = space_named(word.text)) {
            std::ranges::move(parse_variables(cursor, *space, external), std::back_inserter(module.variables));
            cursor.expect(';');
            return;
        } else if (word.text == "version") {
            parse_version(cursor, module);
            return;
        } else if (word.text == "target") {
            module.target = cursor.expect_word();
            skip_line(cursor, word.line);
            return;
        } else if (word.text == "address_size") {
            if (cursor.expect_integer() != 64)
                cursor.fail("expected 64-bit addresses");
            return;
        } else if (word.text == "file" || word.text == "loc" || word.text == "pragma") {
            skip_line(cursor, word.line);
            return;
        } else if (word.text == "section") {
            skip_braces(cursor);
            return;
        } else {
            throw ParseError(word.line, "unknown directive ." + std::string(word.text));
        }
        if (cursor.peek().kind != Token::Kind::dot_word)
            cursor.fail("expected a declaration");
    }
}

} // namespace

Expected<Module, Failure> parse(std::string_view text) {
    const auto tokens = tokenize(text);
    if (!tokens)
        return tokens.error();
    Module module;
    Cursor cursor(*tokens);
    try {
        while (!cursor.at_end())
            parse_item(cursor, module);
    } catch (const ParseError& error) {
        return error_in_line(error.line, error.what());
    }
    return module;
}

} // namespace cudabench::ptx
