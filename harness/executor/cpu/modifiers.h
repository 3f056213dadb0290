#pragma once

#include "ptx/type.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cudabench::cpu {

/// The modifiers of an instruction. What a decoder does not take is not understood: then the instruction is
/// unsupported, whatever it was.
class Modifiers {
public:
    explicit Modifiers(std::vector<std::string_view> words) : words_(std::move(words)) {}

    /// Whether the modifier is there; it is taken.
    bool take(std::string_view word) {
        const auto found = std::ranges::find(words_, word);
        if (found == words_.end())
            return false;
        words_.erase(found);
        return true;
    }
    /// The first of the modifiers that is there; empty if none is.
    std::string_view take_one(std::span<const std::string_view> candidates) {
        for (const std::string_view candidate : candidates)
            if (take(candidate))
                return candidate;
        return {};
    }
    std::string_view take_one(std::initializer_list<std::string_view> candidates) {
        return take_one(std::span(candidates.begin(), candidates.size()));
    }
    /// The next modifier that is a type.
    std::optional<ptx::Type> take_type() {
        for (auto word = words_.begin(); word != words_.end(); ++word) {
            if (const auto type = ptx::type_named(*word)) {
                words_.erase(word);
                return type;
            }
        }
        return std::nullopt;
    }
    /// The next modifier, whatever it is; empty at the end.
    std::string_view take_first() {
        if (words_.empty())
            return {};
        const std::string_view word = words_.front();
        words_.erase(words_.begin());
        return word;
    }
    [[nodiscard]] bool empty() const { return words_.empty(); }

private:
    std::vector<std::string_view> words_;
};

} // namespace cudabench::cpu
