#include "executor/cpu/program.h"

#include "device_code/read_file.h"
#include "executor/cpu/decode.h"
#include "executor/cpu/windows.h"
#include "ptx/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace cudabench::cpu {
namespace {

/// Between variables, so that an index beyond one finds nothing.
constexpr std::uint64_t gap = 4096;
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;
/// Of all modules; a program takes a hundred times the memory of its text.
constexpr std::size_t most_text = std::size_t{32} << 20;

bool in_memory(const ptx::Variable& variable) {
    return (variable.space == ptx::Space::global || variable.space == ptx::Space::constant) && variable.bytes != 0;
}

} // namespace

Expected<Program, Failure> Program::load(const std::filesystem::path& shared_object) {
    auto file = device_code::read_file(shared_object);
    if (!file)
        return file.error();
    auto code = device_code::read_shared_object(*file);
    if (!code)
        return code.error();
    Program program(std::move(*file), std::move(*code));
    if (auto failure = program.parse_modules())
        return *failure;
    if (const std::uint64_t bytes = program.choose_addresses(); bytes > most_bytes)
        return Failure{Stage::not_run, fmt::format("needs a GPU: the device code has variables of {} bytes", bytes)};
    return program;
}

Program::Program(std::vector<std::byte> file, std::vector<device_code::FatBinary> code)
    : file_(std::move(file)), code_(std::move(code)) {}

/// Of each fat binary the PTX of the highest architecture.
std::optional<Failure> Program::parse_modules() {
    std::size_t text = 0;
    for (const device_code::FatBinary& binary : code_) {
        const auto newest = std::ranges::max_element(binary.ptx, {}, &device_code::FatBinary::Ptx::architecture);
        if (newest == binary.ptx.end()) {
            if (binary.kernels.empty())
                continue;
            return Failure{Stage::contract, "device code without PTX: it was compiled for one GPU only"};
        }
        text += newest->text.size();
        if (text > most_text)
            return Failure{Stage::contract, fmt::format("more than {} MiB of PTX", most_text >> 20)};
        auto module = ptx::parse(newest->text);
        if (!module)
            return module.error();
        modules_.push_back(std::make_unique<ptx::Module>(std::move(*module)));
    }
    return std::nullopt;
}

std::uint64_t Program::choose_addresses() {
    Address next = variables_window;
    std::uint64_t total = 0;
    for (std::size_t m = 0; m < modules_.size(); ++m) {
        linkages_.emplace_back(*modules_[m]);
        for (const ptx::Variable& variable : modules_[m]->variables) {
            if (!in_memory(variable) || variable.external)
                continue;
            by_name_.try_emplace(variable.name, placed_.size());
            placed_.push_back({&variable, m, next});
            linkages_.back().place(variable.name, next);
            total += variable.bytes;
            next += (variable.bytes + 2 * gap - 1) / gap * gap;
        }
    }
    for (std::size_t m = 0; m < modules_.size(); ++m)
        for (const ptx::Variable& variable : modules_[m]->variables)
            if (variable.external)
                if (const auto elsewhere = global(variable.name))
                    linkages_[m].place(variable.name, elsewhere->address);
    return total;
}

std::optional<Global> Program::global(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
        return std::nullopt;
    const Placed& placed = placed_[found->second];
    return Global{placed.address, placed.variable->bytes};
}

void Program::place_globals(Memory& memory) const {
    for (const Region& region : memory.regions())
        if (region.begin >= variables_window)
            memory.unmap(region.begin);
    for (const Placed& placed : placed_) {
        const ptx::Variable& variable = *placed.variable;
        memory.map(placed.address, variable.bytes, variable.space == ptx::Space::global,
                   fmt::format("variable {}", variable.name), 0);
        std::byte* const bytes = memory.at(placed.address, variable.bytes);
        std::ranges::copy(variable.initial, bytes);
        for (const ptx::Relocation& relocation : variable.relocations) {
            const std::uint64_t value = linkages_[placed.module].address(relocation.symbol).value_or(0) +
                                        static_cast<std::uint64_t>(relocation.addend);
            for (std::uint32_t i = 0; i < relocation.bytes && relocation.first_byte + i < 8; ++i)
                bytes[relocation.offset + i] = static_cast<std::byte>(value >> (8 * (relocation.first_byte + i)));
        }
    }
}

Expected<const Code*, Failure> Program::kernel(const std::string& name) {
    if (const auto known = kernels_.find(name); known != kernels_.end())
        return known->second.get();
    for (std::size_t m = 0; m < modules_.size(); ++m) {
        const ptx::Function* const function = modules_[m]->function(name);
        if (function == nullptr || !function->entry)
            continue;
        auto code = decode_kernel(linkages_[m], *function);
        if (!code)
            return code.error();
        return kernels_.emplace(name, std::make_unique<Code>(std::move(*code))).first->second.get();
    }
    return Failure{Stage::contract, fmt::format("the PTX has no kernel {}", name)};
}

} // namespace cudabench::cpu
