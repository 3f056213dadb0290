#include "executor/cpu/linkage.h"

#include "executor/cpu/windows.h"

namespace cudabench::cpu {

Linkage::Linkage(const ptx::Module& module) : module_(&module) {
    for (std::uint32_t i = 0; i < module.functions.size(); ++i)
        if (!module.functions[i].external)
            functions_.try_emplace(module.functions[i].name, i);
    for (const ptx::Variable& variable : module.variables)
        variables_.try_emplace(variable.name, &variable);
}

std::optional<std::uint64_t> Linkage::address(std::string_view symbol) const {
    if (const auto found = addresses_.find(symbol); found != addresses_.end())
        return found->second;
    if (const auto index = function(symbol))
        return function_window + std::uint64_t{16} * *index;
    return std::nullopt;
}

std::optional<std::uint32_t> Linkage::function(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? std::nullopt : std::optional(found->second);
}

const ptx::Variable* Linkage::variable(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
}

} // namespace cudabench::cpu
