#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace cudabench::cpu {

/// What the symbols of a module stand for once it is loaded.
class Linkage {
public:
    /// `module` must outlive it.
    explicit Linkage(const ptx::Module& module);

    [[nodiscard]] const ptx::Module& module() const { return *module_; }
    void place(std::string_view variable, std::uint64_t address) { addresses_[variable] = address; }

    /// The address of a global or constant variable, or of a function. Nothing for other symbols.
    [[nodiscard]] std::optional<std::uint64_t> address(std::string_view symbol) const;
    /// Index of a function that is defined here; its address is function_window + 16 x index.
    [[nodiscard]] std::optional<std::uint32_t> function(std::string_view name) const;
    /// A variable of the module; null if there is none.
    [[nodiscard]] const ptx::Variable* variable(std::string_view name) const;

private:
    const ptx::Module* module_;
    std::map<std::string_view, std::uint32_t> functions_; ///< indices
    std::map<std::string_view, const ptx::Variable*> variables_;
    std::map<std::string_view, std::uint64_t> addresses_;
};

} // namespace cudabench::cpu
