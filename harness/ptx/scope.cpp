#include "ptx/scope.h"

#include <charconv>

namespace cudabench::ptx {
namespace {

constexpr std::string_view digits = "0123456789";

} // namespace

void Scopes::enter() {
    parents_.push_back(current_);
    names_.emplace_back();
    current_ = static_cast<std::uint32_t>(names_.size() - 1);
}

bool Scopes::leave() {
    if (current_ == 0)
        return false;
    current_ = parents_[current_];
    return true;
}

bool Scopes::add(std::string_view name, Meaning meaning) {
    return names_[current_].try_emplace(name, meaning).second;
}

std::optional<Scopes::Meaning> Scopes::find(std::string_view name, std::uint32_t scope) const {
    const auto prefix_end = name.find_last_not_of(digits);
    const std::string_view number = name.substr(prefix_end == std::string_view::npos ? 0 : prefix_end + 1);
    const std::string_view prefix = name.substr(0, name.size() - number.size());
    std::uint32_t index = 0;
    const bool numbered =
        !number.empty() && std::from_chars(number.data(), number.data() + number.size(), index).ec == std::errc();
    while (true) {
        const auto& names = names_[scope];
        if (const auto found = names.find(name); found != names.end() && found->second.kind != Kind::reg_range)
            return found->second;
        if (numbered)
            if (const auto range = names.find(prefix);
                range != names.end() && range->second.kind == Kind::reg_range && index < range->second.count)
                return Meaning{Kind::reg, range->second.index + index, 1};
        if (scope == 0)
            return std::nullopt;
        scope = parents_[scope];
    }
}

} // namespace cudabench::ptx
