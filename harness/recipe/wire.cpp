#include "recipe/wire.h"

#include "recipe/fields.h"

#include <array>
#include <string>
#include <type_traits>

namespace cudabench::recipe {

namespace {

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
        return Failure{Stage::contract, "broken recipe: operation " + std::to_string(kind) +
                                            " has a wrong length, name or number of arguments"};
    return operation;
}

} // namespace cudabench::recipe
