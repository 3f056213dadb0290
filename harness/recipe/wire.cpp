#include "recipe/wire.h"

#include "recipe/bytes.h"

#include <array>
#include <string>
#include <type_traits>

namespace cudabench::recipe {

namespace {

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
        else
            out.u64(std::get<Address>(value));
    }
    void operator()(Synchronize::Scope& value) { out.u8(static_cast<std::uint8_t>(value)); }

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
    void operator()(std::string& value) { value = in.text(); }
    void operator()(std::vector<std::byte>& value) { value = in.blob(); }
    void operator()(std::vector<std::vector<std::byte>>& value) {
        constexpr std::uint64_t smallest_blob = 8;
        value.resize(in.count(smallest_blob));
        for (auto& blob : value)
            blob = in.blob();
    }
    void operator()(Extent& value) { all(value.x, value.y, value.z); }
    void operator()(Region& value) { all(value.row_bytes, value.rows); }
    void operator()(Place& value) {
        if (in.boolean()) {
            Symbol symbol;
            all(symbol.name, symbol.offset);
            value = std::move(symbol);
        } else {
            value = in.u64();
        }
    }
    void operator()(Synchronize::Scope& value) {
        const std::uint8_t scope = in.u8();
        if (scope > static_cast<std::uint8_t>(Synchronize::Scope::event))
            in.fail();
        else
            value = static_cast<Synchronize::Scope>(scope);
    }

    template <typename... Fields> void all(Fields&... fields) { ((*this)(fields), ...); }

    ByteReader in;
};

// The fields of each operation, in declared order: the one place that both directions follow.
void fields(auto& f, Allocate& o) {
    f.all(o.address, o.bytes);
}
void fields(auto& f, Release& o) {
    f.all(o.address);
}
void fields(auto& f, CreateStream& o) {
    f.all(o.stream, o.blocking);
}
void fields(auto& f, Launch& o) {
    f.all(o.stream, o.kernel, o.grid, o.block, o.dynamic_shared_bytes, o.cooperative, o.arguments);
}
void fields(auto& f, Fill& o) {
    f.all(o.stream, o.destination, o.pitch, o.region, o.value);
}
void fields(auto& f, CopyToDevice& o) {
    f.all(o.stream, o.destination, o.pitch, o.region, o.data);
}
void fields(auto& f, CopyOnDevice& o) {
    f.all(o.stream, o.destination, o.source, o.destination_pitch, o.source_pitch, o.region);
}
void fields(auto& f, CopyToHost& o) {
    f.all(o.stream, o.source, o.pitch, o.region);
}
void fields(auto& f, RecordEvent& o) {
    f.all(o.stream, o.event);
}
void fields(auto& f, WaitEvent& o) {
    f.all(o.stream, o.event);
}
void fields(auto& f, Synchronize& o) {
    f.all(o.scope, o.id);
}

template <std::size_t... Index> Operation empty_operation(std::size_t kind, std::index_sequence<Index...>) {
    static const std::array<Operation, sizeof...(Index)> empty = {Operation(std::in_place_index<Index>)...};
    return empty.at(kind);
}

} // namespace

std::vector<std::byte> encode(const Operation& operation) {
    Encoder encoder;
    encoder.out.u8(static_cast<std::uint8_t>(operation.index()));
    // The encoder only reads, but shares the lists of fields with the decoder, which writes.
    std::visit([&](auto& o) { fields(encoder, const_cast<std::remove_cvref_t<decltype(o)>&>(o)); }, operation);
    return encoder.out.take();
}

Expected<Operation, Failure> decode_operation(std::span<const std::byte> bytes) {
    Decoder decoder(bytes);
    constexpr std::size_t kinds = std::variant_size_v<Operation>;
    const std::uint8_t kind = decoder.in.u8();
    if (kind >= kinds)
        return Failure{Stage::contract, "broken recipe: unknown operation " + std::to_string(kind)};
    Operation operation = empty_operation(kind, std::make_index_sequence<kinds>{});
    std::visit([&](auto& o) { fields(decoder, o); }, operation);
    if (!decoder.in.complete())
        return Failure{Stage::contract, "broken recipe: operation " + std::to_string(kind) + " has a wrong length"};
    return operation;
}

} // namespace cudabench::recipe
