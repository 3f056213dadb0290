#include "device_code/cubin.h"

#include <algorithm>
#include <elf.h>
#include <functional>
#include <map>

namespace cudabench::device_code {

namespace {

constexpr std::uint8_t kernel_entry = 0x10; // in st_other
constexpr std::uint16_t cuda_machine = 190; // EM_CUDA
constexpr std::uint32_t max_parameters = 4096;
constexpr std::size_t max_kernels = 4096;

/// Attributes of the .nv.info sections.
enum class Attribute : std::uint8_t {
    max_threads = 0x05,     // u32 x, y, z
    min_stack_bytes = 0x12, // u32 symbol, u32 bytes
    parameter = 0x17,       // u32 index, u16 ordinal, u16 offset, u32: size in the upper 14 bits
    registers = 0x2f,       // u32 symbol, u32 registers
    cluster = 0x3d,         // u32 x, y, z
    wide_parameter = 0x45,  // u32 index, u16 ordinal, u16 offset, u16 size, u16 flags
};

Failure broken(const std::string& what) {
    return {Stage::contract, "broken device code: " + what};
}

/// Calls `see(attribute, value)` for each attribute; false if a value lies outside the section.
bool for_each_attribute(Bytes info, const std::function<bool(Attribute, Bytes)>& see) {
    struct Header {
        std::uint8_t format;
        std::uint8_t attribute;
        std::uint16_t size; // of the value that follows, in the format that has one; else the value itself
    };
    constexpr std::uint8_t value_follows = 4;
    for (std::uint64_t offset = 0; const auto header = structure_at<Header>(info, offset);) {
        offset += sizeof(Header);
        if (header->format != value_follows)
            continue;
        const auto value = slice(info, offset, header->size);
        if (!value || !see(static_cast<Attribute>(header->attribute), *value))
            return false;
        offset += header->size;
    }
    return true;
}

bool set_parameter(Kernel& kernel, std::uint16_t ordinal, std::uint32_t bytes) {
    if (ordinal >= max_parameters)
        return false;
    if (kernel.parameter_bytes.size() <= ordinal)
        kernel.parameter_bytes.resize(std::size_t{ordinal} + 1);
    kernel.parameter_bytes[ordinal] = bytes;
    return true;
}

bool set_attribute(Kernel& kernel, Attribute attribute, Bytes value) {
    struct Triple {
        std::array<std::uint32_t, 3> values;
    };
    struct Parameter {
        std::uint32_t index;
        std::uint16_t ordinal;
        std::uint16_t offset;
        std::uint32_t size;
    };
    if (attribute == Attribute::max_threads || attribute == Attribute::cluster) {
        const auto triple = structure_at<Triple>(value, 0);
        if (!triple)
            return false;
        if (attribute == Attribute::cluster)
            kernel.cluster = triple->values;
        else
            kernel.max_threads = triple->values[0] * triple->values[1] * triple->values[2];
    } else if (attribute == Attribute::parameter || attribute == Attribute::wide_parameter) {
        const auto parameter = structure_at<Parameter>(value, 0);
        const bool wide = attribute == Attribute::wide_parameter;
        return parameter &&
               set_parameter(kernel, parameter->ordinal, wide ? parameter->size & 0xffff : parameter->size >> 18);
    }
    return true;
}

/// What the module's own .nv.info says by symbol index.
struct BySymbol {
    std::map<std::uint32_t, std::uint32_t> registers;
    std::map<std::uint32_t, std::uint32_t> stack_bytes;
};

Expected<BySymbol, Failure> read_module_info(const Elf& elf) {
    struct Value {
        std::uint32_t symbol;
        std::uint32_t value;
    };
    BySymbol result;
    const auto* info = elf.section(".nv.info");
    const bool whole = !info || for_each_attribute(info->content, [&](Attribute attribute, Bytes bytes) {
        if (attribute != Attribute::registers && attribute != Attribute::min_stack_bytes)
            return true;
        const auto value = structure_at<Value>(bytes, 0);
        if (value)
            (attribute == Attribute::registers ? result.registers : result.stack_bytes)[value->symbol] = value->value;
        return value.has_value();
    });
    if (!whole)
        return broken(".nv.info");
    return result;
}

std::uint32_t value_of(const std::map<std::uint32_t, std::uint32_t>& values, std::uint32_t symbol) {
    const auto found = values.find(symbol);
    return found == values.end() ? 0 : found->second;
}

std::uint64_t section_size(const Elf& elf, const std::string& name) {
    const auto* section = elf.section(name);
    return section ? section->size : 0;
}

std::uint32_t static_shared_bytes(const Elf& elf, const std::string& kernel, int architecture) {
    // From sm_90 on the section begins with what the driver reserves in each block.
    const std::uint64_t reserved = architecture >= 90 ? 1024 : 0;
    const std::uint64_t size = section_size(elf, ".nv.shared." + kernel);
    return static_cast<std::uint32_t>(size > reserved ? size - reserved : 0);
}

bool is_variable(const Elf& elf, const Elf::Symbol& symbol) {
    if (symbol.type != STT_OBJECT || symbol.name.empty() || symbol.section >= elf.sections.size())
        return false;
    const auto section = elf.sections[symbol.section].name;
    return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3";
}

} // namespace

Expected<Cubin, Failure> read_cubin(Bytes file, int architecture) {
    const auto elf = read_elf(file);
    if (!elf)
        return elf.error();
    if (elf->machine != cuda_machine)
        return broken("not a cubin");
    const auto module_info = read_module_info(*elf);
    if (!module_info)
        return module_info.error();

    Cubin cubin;
    const auto constant_bytes = static_cast<std::uint32_t>(section_size(*elf, ".nv.constant3"));
    for (std::uint32_t index = 0; index < elf->symbols.size(); ++index) {
        const Elf::Symbol& symbol = elf->symbols[index];
        if (is_variable(*elf, symbol)) {
            const std::string_view section = elf->sections[symbol.section].name;
            cubin.variables.push_back(
                {std::string(symbol.name), symbol.size, section == ".nv.constant3", section == ".nv.global.init"});
        }
        if (symbol.type != STT_FUNC || (symbol.other & kernel_entry) == 0)
            continue;
        if (cubin.kernels.size() == max_kernels)
            return broken("more than 4096 kernels");
        Kernel kernel{.name = std::string(symbol.name), .parameter_bytes = {}};
        kernel.registers = value_of(module_info->registers, index);
        kernel.local_bytes = value_of(module_info->stack_bytes, index);
        kernel.static_shared_bytes = static_shared_bytes(*elf, kernel.name, architecture);
        kernel.constant_bytes = constant_bytes;
        kernel.architecture = architecture;
        const auto* info = elf->section(".nv.info." + kernel.name);
        if (info && !for_each_attribute(info->content, [&](Attribute attribute, Bytes value) {
                return set_attribute(kernel, attribute, value);
            }))
            return broken(".nv.info of a kernel");
        cubin.kernels.push_back(std::move(kernel));
    }
    return cubin;
}

} // namespace cudabench::device_code
