#include "device_code/fat_binary.h"

#include "device_code/unpack.h"

#include <algorithm>
#include <deque>
#include <set>

namespace cudabench::device_code {

namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;

struct ContainerHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t header_bytes;
    std::uint64_t payload_bytes;
};

struct EntryHeader {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t header_bytes;
    std::uint64_t padded_bytes;
    std::uint32_t compressed_bytes;
    std::uint32_t options_offset;
    std::uint32_t minor;
    std::uint32_t architecture;
    std::uint64_t reserved;
    std::uint64_t flags;
    std::uint64_t also_reserved;
    std::uint64_t unpacked_bytes; ///< of what is compressed
};

constexpr std::uint16_t ptx_kind = 1;
constexpr std::uint16_t cubin_kind = 2;
constexpr std::uint64_t zstd_flag = 0x8000;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t most_unpacked_bytes = std::uint64_t{256} << 20; ///< of all in a file
constexpr int max_architecture = 10'000;

Failure broken(const std::string& what) {
    return {Stage::contract, "broken fat binary: " + what};
}

/// Moves the items of new names. `names` are those of `items`.
template <typename Item>
void add_if_new(std::vector<Item>& items, std::set<std::string>& names, std::vector<Item>&& more) {
    for (Item& item : more)
        if (names.insert(item.name).second)
            items.push_back(std::move(item));
}

std::string_view ptx_text(Bytes payload) {
    std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    const auto end = text.find_last_not_of('\0');
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

struct ArchitectureCubin {
    int architecture;
    Bytes file;
};

/// What an entry holds; what is compressed is unpacked into `storage`, and taken off the bytes that are `left`. Throws
/// BrokenPack.
Bytes content(const EntryHeader& header, Bytes payload, std::deque<Unpacked>& storage, std::uint64_t& left) {
    if ((header.flags & (zstd_flag | lz4_flag)) == 0)
        return payload;
    const auto packed = slice(payload, 0, header.compressed_bytes);
    if (!packed || header.unpacked_bytes > left)
        throw BrokenPack("impossible size");
    left -= header.unpacked_bytes;
    storage.push_back((header.flags & zstd_flag) != 0 ? unpack_zstd(*packed, header.unpacked_bytes)
                                                      : unpack_lz4(*packed, header.unpacked_bytes));
    return storage.back();
}

Expected<FatBinary, Failure> read_entries(Bytes image, Bytes entries, std::uint64_t& left) {
    FatBinary result{.image = image, .kernels = {}, .variables = {}, .ptx = {}};
    std::vector<ArchitectureCubin> cubins;
    std::deque<Unpacked> storage;
    while (!entries.empty()) {
        const auto header = structure_at<EntryHeader>(entries, 0);
        if (!header || header->header_bytes < sizeof(EntryHeader) || header->header_bytes > entries.size())
            return broken("entry header");
        const auto payload = slice(entries, header->header_bytes, header->padded_bytes);
        if (!payload || header->architecture > max_architecture)
            return broken("entry outside its container");
        const int architecture = static_cast<int>(header->architecture);
        if (header->kind == ptx_kind)
            result.ptx.push_back({architecture, std::string(ptx_text(content(*header, *payload, storage, left)))});
        if (header->kind == cubin_kind)
            cubins.push_back({architecture, content(*header, *payload, storage, left)});
        entries = entries.subspan(header->header_bytes + payload->size());
    }
    std::stable_sort(cubins.begin(), cubins.end(),
                     [](const auto& a, const auto& b) { return a.architecture > b.architecture; });
    std::set<std::string> kernel_names;
    std::set<std::string> variable_names;
    for (const auto& entry : cubins) {
        auto cubin = read_cubin(entry.file, entry.architecture);
        if (!cubin)
            return cubin.error();
        add_if_new(result.kernels, kernel_names, std::move(cubin->kernels));
        add_if_new(result.variables, variable_names, std::move(cubin->variables));
    }
    return result;
}

Expected<FatBinary, Failure> read_container(Bytes image, Bytes entries, std::uint64_t& left) {
    try {
        return read_entries(image, entries, left);
    } catch (const BrokenPack& error) {
        return broken(std::string("compressed code: ") + error.what());
    }
}

/// The first container of `bytes`, whole. `left`: bytes that compressed code may still have.
Expected<FatBinary, Failure> read_first(Bytes bytes, std::uint64_t& left) {
    const auto header = structure_at<ContainerHeader>(bytes, 0);
    if (!header || header->magic != container_magic || header->header_bytes < sizeof(ContainerHeader))
        return broken("no container header");
    const auto entries = slice(bytes, header->header_bytes, header->payload_bytes);
    if (!entries)
        return broken("container outside its section");
    return read_container(bytes.first(header->header_bytes + entries->size()), *entries, left);
}

template <typename Item> const Item* find(const std::vector<Item>& items, std::string_view name) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
}

} // namespace

const Kernel* FatBinary::kernel(std::string_view name) const {
    return find(kernels, name);
}

const Variable* FatBinary::variable(std::string_view name) const {
    return find(variables, name);
}

Expected<std::vector<FatBinary>, Failure> read_fat_binaries(Bytes bytes) {
    constexpr std::size_t alignment = 8;
    std::vector<FatBinary> result;
    std::uint64_t left = most_unpacked_bytes;
    while (!bytes.empty()) {
        // The linker pads between the containers of several objects.
        if (bytes.front() == std::byte{0}) {
            bytes = bytes.subspan(std::min(alignment, bytes.size()));
            continue;
        }
        auto container = read_first(bytes, left);
        if (!container)
            return container.error();
        const std::size_t size = container->image.size();
        result.push_back(std::move(*container));
        bytes = bytes.subspan(std::min((size + alignment - 1) / alignment * alignment, bytes.size()));
    }
    return result;
}

Expected<FatBinary, Failure> read_fat_binary_at(const void* address) {
    const auto* bytes = static_cast<const std::byte*>(address);
    const auto header = structure_at<ContainerHeader>({bytes, sizeof(ContainerHeader)}, 0);
    if (header->magic != container_magic)
        return broken("no container header");
    std::uint64_t left = most_unpacked_bytes;
    return read_first({bytes, header->header_bytes + header->payload_bytes}, left);
}

Expected<std::vector<FatBinary>, Failure> read_shared_object(Bytes file) {
    const auto elf = read_elf(file);
    if (!elf)
        return elf.error();
    const auto* section = elf->section(".nv_fatbin");
    auto binaries = read_fat_binaries(section ? section->content : Bytes{});
    // A linker of device code leaves machine code alone there. What the source was compiled to stays in another
    // section, before what it was linked with.
    const auto* relocatable = elf->section("__nv_relfatbin");
    std::uint64_t left = most_unpacked_bytes;
    if (relocatable && binaries && binaries->size() == 1 && binaries->front().ptx.empty())
        if (auto compiled = read_first(relocatable->content, left))
            binaries->front().ptx = std::move(compiled->ptx);
    return binaries;
}

} // namespace cudabench::device_code
