#include "ptx/parse_variable.h"

#include <algorithm>
#include <bit>

namespace cudabench::ptx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;
constexpr int deepest_braces = 8;

struct Declared {
    Type type = Type::b8;
    std::uint32_t alignment = 0; ///< 0: the type's own
    std::uint32_t vector = 1;    ///< elements of .v2, .v4
};

Declared parse_declared_type(Cursor& cursor) {
    Declared declared;
    std::optional<Type> type;
    while (cursor.peek().kind == Token::Kind::dot_word) {
        const std::string_view word = cursor.next().text;
        if (word == "align") {
            const std::uint64_t alignment = cursor.expect_integer();
            if (!std::has_single_bit(alignment) || alignment > 4096)
                cursor.fail("impossible alignment");
            declared.alignment = static_cast<std::uint32_t>(alignment);
        } else if (word == "v2" || word == "v4") {
            declared.vector = word == "v2" ? 2 : 4;
        } else if (word == "attribute") {
            cursor.expect('(');
            while (!cursor.accept(')')) {
                if (cursor.at_end())
                    cursor.fail("expected ')'");
                cursor.next();
            }
        } else if (word == "ptr" || space_named(word)) {
            // What a pointer parameter points to; its alignment follows and is not the parameter's.
            if (cursor.accept_dot("align"))
                (void)cursor.expect_integer();
        } else if (type = type_named(word); !type) {
            cursor.fail("expected a type instead of ." + std::string(word));
        }
        if (type)
            declared.type = *type;
    }
    if (!type)
        cursor.fail("expected a type");
    return declared;
}

/// Bytes of the initial value, written one element after another.
class InitialValue {
public:
    InitialValue(Cursor& cursor, Variable& variable) : cursor_(cursor), variable_(variable) {}

    void parse(int depth = 0) {
        if (!cursor_.accept('{')) {
            element();
            return;
        }
        if (depth == deepest_braces)
            cursor_.fail("too many braces");
        while (!cursor_.accept('}')) {
            parse(depth + 1);
            if (!cursor_.peek().is('}'))
                cursor_.expect(',');
        }
    }

private:
    void element() {
        const Token& token = cursor_.peek();
        const std::uint32_t size = bytes(variable_.type);
        if (token.kind == Token::Kind::word) {
            address(size, 0);
            return;
        }
        if (token.kind == Token::Kind::integer && cursor_.peek(1).is('(')) {
            masked_address(size);
            return;
        }
        if (token.kind == Token::Kind::single || token.kind == Token::Kind::real)
            append(cursor_.next().bits, size);
        else
            append(cursor_.expect_integer(), size);
    }

    /// 0xFF00(symbol): one byte of an address.
    void masked_address(std::uint32_t size) {
        const std::uint64_t mask = cursor_.next().bits;
        cursor_.expect('(');
        if (mask == 0 || size != 1)
            cursor_.fail("expected a byte of an address");
        address(size, static_cast<std::uint32_t>(std::countr_zero(mask) / 8));
        cursor_.expect(')');
    }

    void address(std::uint32_t size, std::uint32_t first_byte) {
        std::string_view symbol = cursor_.expect_word();
        if (symbol == "generic" && cursor_.accept('(')) {
            symbol = cursor_.expect_word();
            cursor_.expect(')');
        }
        std::int64_t addend = 0;
        if (cursor_.accept('+') || cursor_.peek().is('-'))
            addend = static_cast<std::int64_t>(cursor_.expect_integer());
        variable_.relocations.push_back({variable_.initial.size(), symbol, addend, size, first_byte});
        append(0, size);
    }

    void append(std::uint64_t value, std::uint32_t size) {
        for (std::uint32_t i = 0; i < size; ++i)
            variable_.initial.push_back(i < 8 ? static_cast<std::byte>(value >> (8 * i)) : std::byte{0});
    }

    Cursor& cursor_;
    Variable& variable_;
};

/// [4][8], [] or nothing: how many elements.
std::uint64_t parse_dimensions(Cursor& cursor, bool& sized) {
    std::uint64_t elements = 1;
    while (cursor.accept('[')) {
        if (cursor.accept(']')) {
            sized = false;
            continue;
        }
        const std::uint64_t extent = cursor.expect_integer();
        cursor.expect(']');
        if (extent > most_bytes || elements * extent > most_bytes)
            cursor.fail("an array that is too large");
        elements *= extent;
    }
    return elements;
}

} // namespace

std::optional<Space> space_named(std::string_view dot_word) {
    if (dot_word == "global")
        return Space::global;
    if (dot_word == "const")
        return Space::constant;
    if (dot_word == "shared")
        return Space::shared;
    if (dot_word == "local")
        return Space::local;
    if (dot_word == "param")
        return Space::param;
    return std::nullopt;
}

std::vector<Variable> parse_variables(Cursor& cursor, Space space, bool external) {
    const Declared declared = parse_declared_type(cursor);
    std::vector<Variable> variables;
    do {
        Variable variable;
        variable.line = cursor.line();
        variable.name = cursor.peek().is_dot("_") ? cursor.next().text : cursor.expect_word();
        variable.space = space;
        variable.type = declared.type;
        variable.external = external;
        const std::uint32_t element = bytes(declared.type) * declared.vector;
        variable.alignment = declared.alignment != 0 ? declared.alignment : element;
        bool sized = true;
        variable.bytes = parse_dimensions(cursor, sized) * element;
        if (cursor.accept('='))
            InitialValue(cursor, variable).parse();
        if (!sized)
            variable.bytes = variable.initial.size();
        if (variable.initial.size() > variable.bytes)
            cursor.fail("an initial value longer than its variable");
        variables.push_back(std::move(variable));
        // In a parameter list the comma ends the declaration: a dot follows it.
    } while (cursor.peek().is(',') && cursor.peek(1).kind == Token::Kind::word && (cursor.next(), true));
    return variables;
}

} // namespace cudabench::ptx
