#include "device_code/elf.h"

#include <algorithm>
#include <elf.h>
#include <string>

namespace cudabench::device_code {

namespace {

Failure broken(const char* what) {
    return {Stage::contract, std::string("broken ELF file: ") + what};
}

/// The NUL-terminated text at `offset` of a string table; empty if there is none.
std::string_view text_at(Bytes table, std::uint64_t offset) {
    if (offset >= table.size())
        return {};
    const auto rest = table.subspan(offset);
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

void read_symbols(Elf& elf, Bytes table, Bytes names) {
    for (std::uint64_t offset = 0; const auto raw = structure_at<Elf64_Sym>(table, offset); offset += sizeof(Elf64_Sym))
        elf.symbols.push_back({.name = text_at(names, raw->st_name),
                               .type = static_cast<std::uint8_t>(ELF64_ST_TYPE(raw->st_info)),
                               .other = raw->st_other,
                               .section = raw->st_shndx,
                               .size = raw->st_size});
}

} // namespace

std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset)
        return std::nullopt;
    return bytes.subspan(offset, size);
}

const Elf::Section* Elf::section(std::string_view name) const {
    const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
    return found == sections.end() ? nullptr : &*found;
}

Expected<Elf, Failure> read_elf(Bytes file) {
    const auto header = structure_at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return broken("no ELF header");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return broken("not 64-bit little-endian");
    const auto table = slice(file, header->e_shoff, std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr));
    if (!table || header->e_shentsize != sizeof(Elf64_Shdr))
        return broken("section headers outside the file");

    std::vector<Elf64_Shdr> raw;
    for (std::uint64_t offset = 0; const auto section = structure_at<Elf64_Shdr>(*table, offset);
         offset += sizeof(Elf64_Shdr))
        raw.push_back(*section);
    Elf elf{.machine = header->e_machine, .flags = header->e_flags, .sections = {}, .symbols = {}};
    for (const Elf64_Shdr& section : raw) {
        const bool stored = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
        const auto content = stored ? slice(file, section.sh_offset, section.sh_size) : Bytes{};
        if (!content)
            return broken("section outside the file");
        elf.sections.push_back({{}, section.sh_type, section.sh_info, section.sh_size, *content});
    }
    if (header->e_shstrndx < elf.sections.size())
        for (std::size_t i = 0; i < raw.size(); ++i)
            elf.sections[i].name = text_at(elf.sections[header->e_shstrndx].content, raw[i].sh_name);
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (raw[i].sh_type == SHT_SYMTAB && raw[i].sh_link < elf.sections.size())
            read_symbols(elf, elf.sections[i].content, elf.sections[raw[i].sh_link].content);
    return elf;
}

} // namespace cudabench::device_code
