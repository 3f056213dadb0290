#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cudabench::ptx {

/// The nested { } scopes of a function body: what a name means where. Inline assembly repeats names of registers,
/// variables and labels in scopes of its own.
class Scopes {
public:
    enum class Kind : std::uint8_t { reg, reg_range, variable, label, targets };
    struct Meaning {
        Kind kind = Kind::reg;
        std::uint32_t index = 0; ///< of the first, for a range
        std::uint32_t count = 1; ///< of a range
    };

    Scopes() {
        parents_.push_back(0);
        names_.emplace_back();
    }

    void enter();
    /// False if there is none to leave.
    [[nodiscard]] bool leave();
    /// The scope that is open now, for find().
    [[nodiscard]] std::uint32_t current() const { return current_; }

    /// False if the scope already has a meaning for that name.
    [[nodiscard]] bool add(std::string_view name, Meaning meaning);
    /// The meaning of a name in `scope`, or in the nearest scope around it. "%r12" is found in a range "%r".
    [[nodiscard]] std::optional<Meaning> find(std::string_view name, std::uint32_t scope) const;

private:
    std::uint32_t current_ = 0;
    std::vector<std::uint32_t> parents_;
    std::vector<std::map<std::string_view, Meaning>> names_;
};

} // namespace cudabench::ptx
