#pragma once

#include "recipe/bytes.h"
#include "recipe/operation.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

/// How the fields of operations and questions become bytes, for wire.cpp and question.cpp.
namespace cudabench::recipe {

/// Writes the fields that it is shown.
class Encoder {
public:
    void operator()(std::uint8_t& value) { out.u8(value); }
    void operator()(std::uint32_t& value) { out.u32(value); }
    void operator()(std::uint64_t& value) { out.u64(value); }
    void operator()(bool& value) { out.u8(value ? 1 : 0); }
    void operator()(std::string& value) { out.text(value); }
    void operator()(std::vector<std::byte>& value) { out.blob(value); }
    void operator()(std::vector<std::vector<std::byte>>& value) {
        out.u64(value.size());
        for (auto& blob : value)
            out.blob(blob);
    }
    void operator()(Extent& value) { all(value.x, value.y, value.z); }
    void operator()(Region& value) { all(value.row_bytes, value.rows); }
    void operator()(Place& value) {
        out.u8(static_cast<std::uint8_t>(value.index()));
        if (auto* symbol = std::get_if<Symbol>(&value))
            all(symbol->name, symbol->offset);
        else if (auto* in = std::get_if<InArray>(&value))
            all(in->array, in->x, in->y, in->z);
        else
            out.u64(std::get<Address>(value));
    }
    void operator()(Texel& value) { all(value.format, value.channels); }
    void operator()(Synchronize::Scope& value) { out.u8(static_cast<std::uint8_t>(value)); }
    void operator()(CreateTexture::Resource& value) { out.u8(static_cast<std::uint8_t>(value)); }
    template <typename Value, std::size_t count> void operator()(std::array<Value, count>& values) {
        for (Value& value : values)
            (*this)(value);
    }

    template <typename... Fields> void all(Fields&... fields) { ((*this)(fields), ...); }

    ByteWriter out;
};

/// Reads into the fields that it is shown.
class Decoder {
public:
    explicit Decoder(std::span<const std::byte> bytes) : in(bytes) {}

    void operator()(std::uint8_t& value) { value = in.u8(); }
    void operator()(std::uint32_t& value) { value = in.u32(); }
    void operator()(std::uint64_t& value) { value = in.u64(); }
    void operator()(bool& value) { value = in.boolean(); }
    void operator()(std::string& value) { value = in.name(max_name_characters); }
    void operator()(std::vector<std::byte>& value) { value = in.blob(); }
    /// The arguments of a launch.
    void operator()(std::vector<std::vector<std::byte>>& value) {
        constexpr std::uint64_t smallest_blob = 9;
        const std::uint64_t count = in.count(smallest_blob);
        value.resize(std::min<std::uint64_t>(count, max_arguments));
        for (auto& blob : value)
            blob = in.blob();
        if (count > max_arguments || !arguments_possible(value))
            in.fail();
    }
    void operator()(Extent& value) { all(value.x, value.y, value.z); }
    void operator()(Region& value) { all(value.row_bytes, value.rows); }
    void operator()(Place& value) {
        Symbol symbol;
        InArray position;
        switch (in.u8()) {
        case 0: value = in.u64(); return;
        case 1:
            all(symbol.name, symbol.offset);
            value = std::move(symbol);
            return;
        case 2:
            all(position.array, position.x, position.y, position.z);
            value = position;
            return;
        default: in.fail();
        }
    }
    void operator()(Texel& value) { all(value.format, value.channels); }
    void operator()(Synchronize::Scope& value) { enumerator(value, Synchronize::Scope::event); }
    void operator()(CreateTexture::Resource& value) { enumerator(value, CreateTexture::Resource::rows); }
    template <typename Value, std::size_t count> void operator()(std::array<Value, count>& values) {
        for (Value& value : values)
            (*this)(value);
    }

    template <typename... Fields> void all(Fields&... fields) { ((*this)(fields), ...); }

    ByteReader in;

private:
    template <typename Enumeration> void enumerator(Enumeration& value, Enumeration last) {
        const std::uint8_t read = in.u8();
        if (read > static_cast<std::uint8_t>(last))
            in.fail();
        else
            value = static_cast<Enumeration>(read);
    }
};

// The fields of each operation, in declared order: the one place that both directions follow.
inline void fields(auto& f, Allocate& o) {
    f.all(o.address, o.bytes);
}
inline void fields(auto& f, Release& o) {
    f.all(o.address);
}
inline void fields(auto& f, CreateStream& o) {
    f.all(o.stream, o.blocking);
}
inline void fields(auto& f, Launch& o) {
    f.all(o.stream, o.kernel, o.grid, o.block, o.dynamic_shared_bytes, o.cooperative, o.arguments, o.cluster,
          o.programmatic);
}
inline void fields(auto& f, Fill& o) {
    f.all(o.stream, o.destination, o.pitch, o.region, o.value);
}
inline void fields(auto& f, CopyToDevice& o) {
    f.all(o.stream, o.destination, o.pitch, o.region, o.data);
}
inline void fields(auto& f, CopyOnDevice& o) {
    f.all(o.stream, o.destination, o.source, o.destination_pitch, o.source_pitch, o.region);
}
inline void fields(auto& f, CopyToHost& o) {
    f.all(o.stream, o.source, o.pitch, o.region);
}
inline void fields(auto& f, RecordEvent& o) {
    f.all(o.stream, o.event);
}
inline void fields(auto& f, WaitEvent& o) {
    f.all(o.stream, o.event);
}
inline void fields(auto& f, Synchronize& o) {
    f.all(o.scope, o.id);
}
inline void fields(auto& f, AllocateArray& o) {
    f.all(o.array, o.width, o.height, o.depth, o.texel, o.flags);
}
inline void fields(auto& f, CreateTexture& o) {
    f.all(o.texture, o.surface, o.resource, o.array, o.address, o.width, o.height, o.pitch, o.texel, o.address_modes,
          o.filter_mode, o.flags, o.max_anisotropy, o.border, o.handle);
}

} // namespace cudabench::recipe
