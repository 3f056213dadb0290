#include "ptx/parse_function.h"

#include "ptx/parse_variable.h"
#include "ptx/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace cudabench::ptx {
namespace {

constexpr std::uint64_t most_registers = 1 << 20;
constexpr int deepest_operand = 4;
constexpr int deepest_scope = 64;

std::vector<Variable> parse_parameter_list(Cursor& cursor) {
    std::vector<Variable> parameters;
    cursor.expect('(');
    while (!cursor.accept(')')) {
        if (cursor.accept_dot("reg"))
            cursor.fail("parameters in registers are not supported");
        if (!cursor.accept_dot("param"))
            cursor.fail("expected .param");
        std::ranges::move(parse_variables(cursor, Space::param, false), std::back_inserter(parameters));
        if (!cursor.peek().is(')'))
            cursor.expect(',');
    }
    return parameters;
}

/// Statement by statement; names are resolved as they come, labels at the end, since they may come later.
class Body {
public:
    Body(Cursor& cursor, Function& function) : cursor_(cursor), function_(function) {
        for (const auto* list : {&function.parameters, &function.returns})
            for (const Variable& variable : *list)
                declare(variable);
    }

    void parse() {
        cursor_.expect('{');
        int depth = 1;
        while (depth > 0) {
            if (cursor_.accept('{')) {
                if (depth == deepest_scope)
                    cursor_.fail("too many braces");
                scopes_.enter();
                ++depth;
            } else if (cursor_.accept('}')) {
                --depth;
                if (depth > 0 && !scopes_.leave())
                    cursor_.fail("unexpected '}'");
            } else {
                statement();
            }
        }
        resolve_labels();
    }

private:
    /// An operand whose name had no meaning yet: a label, or a symbol of the module.
    struct Unresolved {
        std::uint32_t scope;
        std::vector<std::uint32_t> path; ///< instruction (or target list), operand, parts
        bool in_targets;
    };

    void statement() {
        if (cursor_.at_end())
            cursor_.fail("expected '}'");
        if (cursor_.peek().kind == Token::Kind::dot_word) {
            directive();
        } else if (cursor_.peek().kind == Token::Kind::word && cursor_.peek(1).is(':')) {
            label();
        } else {
            instruction();
        }
    }

    void label() {
        const std::string_view label_name = cursor_.expect_word();
        cursor_.expect(':');
        const Token& token = cursor_.peek();
        const bool targets = token.is_dot("branchtargets") || token.is_dot("calltargets");
        if (targets) {
            cursor_.next();
            const auto index = static_cast<std::uint32_t>(function_.branch_targets.size());
            function_.branch_targets.emplace_back();
            add(label_name, {Scopes::Kind::targets, index, 1});
            do {
                function_.branch_targets.back().push_back(named_operand());
                note_unresolved(function_.branch_targets.back().back(),
                                {index, static_cast<std::uint32_t>(function_.branch_targets.back().size() - 1)}, true);
            } while (cursor_.accept(','));
            cursor_.expect(';');
        } else if (token.is_dot("callprototype")) {
            skip_to_semicolon();
            add(label_name, {Scopes::Kind::targets, 0, 0});
        } else {
            add(label_name, {Scopes::Kind::label, static_cast<std::uint32_t>(function_.instructions.size()), 1});
        }
    }

    void add(std::string_view declared, Scopes::Meaning meaning) {
        if (!scopes_.add(declared, meaning))
            cursor_.fail(fmt::format("'{}' is declared twice", declared));
    }

    void directive() {
        const Token& token = cursor_.next();
        if (token.text == "reg") {
            registers();
        } else if (token.text == "loc") {
            location(token.line);
        } else if (token.text == "pragma") {
            pragma();
        } else if (const auto space = space_named(token.text)) {
            for (const Variable& variable : parse_variables(cursor_, *space, false))
                declare(variable);
            if (cursor_.accept('<')) // .param .b32 p<3>
                cursor_.fail("numbered variables are not supported");
            cursor_.expect(';');
        } else {
            throw ParseError(token.line, "unknown directive ." + std::string(token.text));
        }
    }

    /// .pragma "used_bytes_mask 0xff"; says which bytes of the load that follows are used.
    void pragma() {
        constexpr std::string_view used = "used_bytes_mask ";
        const Token& token = cursor_.peek();
        if (token.kind == Token::Kind::string && token.text.starts_with(used)) {
            std::string_view digits = token.text.substr(used.size());
            const bool hexadecimal = digits.starts_with("0x");
            digits.remove_prefix(hexadecimal ? 2 : 0);
            std::uint32_t mask = 0;
            const auto [end, error] =
                std::from_chars(digits.data(), digits.data() + digits.size(), mask, hexadecimal ? 16 : 10);
            if (error == std::errc())
                used_bytes_ = mask;
        }
        skip_to_semicolon();
    }

    void skip_to_semicolon() {
        while (!cursor_.accept(';')) {
            if (cursor_.at_end())
                cursor_.fail("expected ';'");
            cursor_.next();
        }
    }

    /// .loc file line column[, function_name ..., inlined_at ...]: everything in its line.
    void location(std::uint32_t line) {
        (void)cursor_.expect_integer();
        source_line_ = static_cast<std::uint32_t>(cursor_.expect_integer());
        while (!cursor_.at_end() && cursor_.line() == line)
            cursor_.next();
    }

    void declare(const Variable& variable) {
        add(variable.name, {Scopes::Kind::variable, static_cast<std::uint32_t>(function_.variables.size()), 1});
        function_.variables.push_back(variable);
    }

    void registers() {
        std::optional<Type> type;
        if (cursor_.peek().kind == Token::Kind::dot_word)
            type = type_named(cursor_.peek().text);
        if (!type)
            cursor_.fail("expected the type of a register");
        cursor_.next();
        do {
            const std::string_view declared = cursor_.expect_word();
            const auto first = static_cast<std::uint32_t>(function_.registers.size());
            std::uint64_t count = 1;
            const bool range = cursor_.accept('<');
            if (range) {
                count = cursor_.expect_integer();
                cursor_.expect('>');
            }
            if (count > most_registers || first + count > most_registers)
                cursor_.fail("too many registers");
            add(declared,
                {range ? Scopes::Kind::reg_range : Scopes::Kind::reg, first, static_cast<std::uint32_t>(count)});
            function_.registers.resize(first + count, {declared, *type});
        } while (cursor_.accept(','));
        cursor_.expect(';');
    }

    void instruction() {
        Instruction parsed;
        parsed.line = cursor_.line();
        parsed.source_line = source_line_;
        parsed.used_bytes = std::exchange(used_bytes_, ~std::uint32_t{0});
        if (cursor_.accept('@')) {
            parsed.guarded = true;
            parsed.guard_negated = cursor_.accept('!');
            const auto meaning = scopes_.find(cursor_.expect_word(), scopes_.current());
            if (!meaning || meaning->kind != Scopes::Kind::reg ||
                function_.registers[meaning->index].type != Type::pred)
                cursor_.fail("expected a predicate");
            parsed.guard = meaning->index;
        }
        parsed.opcode = cursor_.expect_word();
        while (cursor_.peek().kind == Token::Kind::dot_word)
            parsed.modifiers.push_back(cursor_.next().text);
        while (!cursor_.accept(';')) {
            parsed.operands.push_back(operand(0));
            if (!cursor_.peek().is(';'))
                cursor_.expect(',');
        }
        const auto index = static_cast<std::uint32_t>(function_.instructions.size());
        for (std::uint32_t i = 0; i < parsed.operands.size(); ++i)
            note_unresolved(parsed.operands[i], {index, i}, false);
        function_.instructions.push_back(std::move(parsed));
    }

    Operand operand(int depth) {
        Operand first = single_operand(depth);
        if (!cursor_.accept('|'))
            return first;
        Operand both;
        both.kind = Operand::Kind::pair;
        both.parts = {std::move(first), single_operand(depth)};
        return both;
    }

    Operand single_operand(int depth) {
        if (depth > deepest_operand)
            cursor_.fail("operands nested too deeply");
        if (cursor_.accept('{'))
            return several(Operand::Kind::vector, '}', depth);
        if (cursor_.accept('('))
            return several(Operand::Kind::list, ')', depth);
        if (cursor_.accept('['))
            return address(depth);
        if (cursor_.accept('!')) {
            Operand negated = named_operand();
            negated.negated = true;
            return negated;
        }
        const Token& token = cursor_.peek();
        switch (token.kind) {
        case Token::Kind::single: return constant(Operand::Kind::single, cursor_.next().bits);
        case Token::Kind::real: return constant(Operand::Kind::real, cursor_.next().bits);
        case Token::Kind::word: return named_operand();
        default: return constant(Operand::Kind::integer, cursor_.expect_integer());
        }
    }

    static Operand constant(Operand::Kind kind, std::uint64_t bits) {
        Operand operand;
        operand.kind = kind;
        operand.bits = bits;
        return operand;
    }

    Operand several(Operand::Kind kind, char end, int depth) {
        Operand all;
        all.kind = kind;
        while (!cursor_.accept(end)) {
            all.parts.push_back(operand(depth + 1));
            if (!cursor_.peek().is(end))
                cursor_.expect(',');
        }
        return all;
    }

    Operand address(int depth) {
        Operand address;
        address.kind = Operand::Kind::address;
        Operand base = single_operand(depth + 1);
        address.offset = base.offset;
        base.offset = 0;
        address.offset += parse_offset();
        address.parts.push_back(std::move(base));
        while (cursor_.accept(','))
            address.parts.push_back(operand(depth + 1));
        cursor_.expect(']');
        return address;
    }

    Operand named_operand() {
        Operand operand;
        operand.name = cursor_.expect_word();
        if (operand.name == "_") {
            operand.kind = Operand::Kind::sink;
            return operand;
        }
        if (operand.name == "WARP_SZ")
            return constant(Operand::Kind::integer, 32);
        const auto meaning = scopes_.find(operand.name, scopes_.current());
        if (meaning && meaning->kind == Scopes::Kind::reg) {
            operand.kind = Operand::Kind::reg;
            operand.index = meaning->index;
        } else if (meaning && meaning->kind == Scopes::Kind::variable) {
            operand.kind = Operand::Kind::variable;
            operand.index = meaning->index;
            operand.offset = parse_offset();
        } else if (operand.name.front() == '%') {
            operand.kind = Operand::Kind::special;
            if (cursor_.peek().kind == Token::Kind::dot_word) {
                const std::string_view part = cursor_.next().text;
                operand.name = {operand.name.data(),
                                static_cast<std::size_t>(part.data() + part.size() - operand.name.data())};
            }
        } else {
            operand.kind = Operand::Kind::symbol;
            operand.index = scopes_.current(); // until labels are resolved
            operand.offset = parse_offset();
        }
        return operand;
    }

    std::int64_t parse_offset() {
        if (cursor_.accept('+') || cursor_.peek().is('-'))
            return static_cast<std::int64_t>(cursor_.expect_integer());
        return 0;
    }

    void note_unresolved(const Operand& operand, const std::vector<std::uint32_t>& path, bool in_targets) {
        if (operand.kind == Operand::Kind::symbol)
            unresolved_.push_back({operand.index, path, in_targets});
        for (std::uint32_t i = 0; i < operand.parts.size(); ++i) {
            std::vector<std::uint32_t> longer = path;
            longer.push_back(i);
            note_unresolved(operand.parts[i], longer, in_targets);
        }
    }

    void resolve_labels() {
        for (const Unresolved& place : unresolved_) {
            Operand* operand = place.in_targets ? &function_.branch_targets[place.path[0]][place.path[1]]
                                                : &function_.instructions[place.path[0]].operands[place.path[1]];
            for (std::size_t i = 2; i < place.path.size(); ++i)
                operand = &operand->parts[place.path[i]];
            operand->index = 0;
            const auto meaning = scopes_.find(operand->name, place.scope);
            if (!meaning || (meaning->kind != Scopes::Kind::label && meaning->kind != Scopes::Kind::targets))
                continue;
            operand->kind = Operand::Kind::label;
            operand->index = meaning->index;
        }
    }

    Cursor& cursor_;
    Function& function_;
    Scopes scopes_;
    std::vector<Unresolved> unresolved_;
    std::uint32_t source_line_ = 0;
    std::uint32_t used_bytes_ = ~std::uint32_t{0}; ///< of the next instruction
};

/// .maxntid 256, 1, 1 and the like, between the parameters and the body.
void parse_tuning(Cursor& cursor, Function& function) {
    while (cursor.peek().kind == Token::Kind::dot_word) {
        const std::string_view word = cursor.next().text;
        if (word == "pragma") {
            while (!cursor.accept(';')) {
                if (cursor.at_end())
                    cursor.fail("expected ';'");
                cursor.next();
            }
            continue;
        }
        std::uint64_t product = 1;
        while (cursor.peek().kind == Token::Kind::integer) {
            product *= std::min<std::uint64_t>(cursor.next().bits, 65'536);
            cursor.accept(',');
        }
        const auto bounded = static_cast<std::uint32_t>(std::min<std::uint64_t>(product, 65'536));
        if (word == "maxntid" || word == "reqntid")
            function.max_threads = bounded;
        if (word == "reqnctapercluster")
            function.cluster_blocks = bounded;
    }
}

} // namespace

Function parse_function(Cursor& cursor, bool entry, bool external) {
    Function function;
    function.entry = entry;
    function.external = external;
    function.line = cursor.line();
    if (!entry && cursor.peek().is('('))
        function.returns = parse_parameter_list(cursor);
    function.name = cursor.expect_word();
    if (cursor.peek().is('('))
        function.parameters = parse_parameter_list(cursor);
    parse_tuning(cursor, function);
    if (cursor.accept(';')) {
        function.external = true;
        return function;
    }
    Body(cursor, function).parse();
    return function;
}

} // namespace cudabench::ptx
