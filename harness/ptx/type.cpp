#include "ptx/type.h"

#include <algorithm>
#include <array>

namespace cudabench::ptx {
namespace {

struct Entry {
    std::string_view name;
    Type type;
    std::uint32_t bytes;
};

constexpr std::array entries = {
    Entry{"pred", Type::pred, 1},   Entry{"b8", Type::b8, 1},         Entry{"b16", Type::b16, 2},
    Entry{"b32", Type::b32, 4},     Entry{"b64", Type::b64, 8},       Entry{"b128", Type::b128, 16},
    Entry{"u8", Type::u8, 1},       Entry{"u16", Type::u16, 2},       Entry{"u32", Type::u32, 4},
    Entry{"u64", Type::u64, 8},     Entry{"s8", Type::s8, 1},         Entry{"s16", Type::s16, 2},
    Entry{"s32", Type::s32, 4},     Entry{"s64", Type::s64, 8},       Entry{"u16x2", Type::u16x2, 4},
    Entry{"s16x2", Type::s16x2, 4}, Entry{"f16", Type::f16, 2},       Entry{"f16x2", Type::f16x2, 4},
    Entry{"bf16", Type::bf16, 2},   Entry{"bf16x2", Type::bf16x2, 4}, Entry{"tf32", Type::tf32, 4},
    Entry{"f32", Type::f32, 4},     Entry{"f64", Type::f64, 8},
};

const Entry& entry(Type type) {
    return *std::ranges::find(entries, type, &Entry::type);
}

} // namespace

std::optional<Type> type_named(std::string_view name) {
    const auto* const found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? std::nullopt : std::optional(found->type);
}

std::string_view name(Type type) {
    return entry(type).name;
}

std::uint32_t bytes(Type type) {
    return entry(type).bytes;
}

bool is_signed(Type type) {
    return type >= Type::s8 && type <= Type::s64;
}

bool is_floating(Type type) {
    return type >= Type::f16;
}

} // namespace cudabench::ptx
