#include "executor/cpu/linkage.h"

#include "executor/cpu/windows.h"

namespace cudabench::cpu {

std::optional<std::uint64_t> Linkage::address(std::string_view symbol) const {
    if (const auto found = addresses_.find(symbol); found != addresses_.end())
        return found->second;
    if (const auto index = function(symbol))
        return function_window + std::uint64_t{16} * *index;
    return std::nullopt;
}

std::optional<std::uint32_t> Linkage::function(std::string_view name) const {
    for (std::uint32_t i = 0; i < module_->functions.size(); ++i)
        if (module_->functions[i].name == name && !module_->functions[i].external)
            return i;
    return std::nullopt;
}

} // namespace cudabench::cpu
