#include "ptx/module.h"

#include <algorithm>

namespace cudabench::ptx {

std::string_view name(Space space) {
    switch (space) {
    case Space::global: return "global";
    case Space::constant: return "const";
    case Space::shared: return "shared";
    case Space::local: return "local";
    case Space::param: return "param";
    }
    return "?";
}

const Function* Module::function(std::string_view wanted) const {
    const Function* declared = nullptr;
    for (const Function& function : functions) {
        if (function.name != wanted)
            continue;
        if (!function.external)
            return &function;
        declared = &function;
    }
    return declared;
}

const Variable* Module::variable(std::string_view wanted) const {
    const auto found = std::ranges::find(variables, wanted, &Variable::name);
    return found == variables.end() ? nullptr : &*found;
}

std::string full_name(const Instruction& instruction) {
    std::string text(instruction.opcode);
    for (const std::string_view modifier : instruction.modifiers) {
        text += '.';
        text += modifier;
    }
    return text;
}

} // namespace cudabench::ptx
