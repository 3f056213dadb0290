#include "recipe/fields.h"
#include "recipe/message.h"

#include <type_traits>

namespace cudabench::recipe {

namespace {

// The fields of each question, in declared order, as fields.h has those of operations.
void fields(auto& f, SymbolAddress& q) {
    f.all(q.name);
}
void fields(auto& f, TensorMap& q) {
    f.all(q.data_type, q.rank, q.address, q.sizes, q.strides, q.box, q.element_strides, q.interleave, q.swizzle,
          q.l2_promotion, q.fill);
}
void fields(auto& f, ClusterOccupancy& q) {
    fields(f, q.launch);
    f.all(q.largest);
}

template <std::size_t... Index> Question empty_question(std::size_t kind, std::index_sequence<Index...>) {
    static const std::array<Question, sizeof...(Index)> empty = {Question(std::in_place_index<Index>)...};
    return empty.at(kind);
}

Failure broken() {
    return {Stage::contract, "broken message: a question that is none"};
}

} // namespace

std::vector<std::byte> encode(const Question& question) {
    Encoder encoder;
    encoder.out.u8(static_cast<std::uint8_t>(question.index()));
    // The encoder only reads, but shares the lists of fields with the decoder, which writes.
    std::visit([&](auto& q) { fields(encoder, const_cast<std::remove_cvref_t<decltype(q)>&>(q)); }, question);
    return encoder.out.take();
}

Expected<Question, Failure> decode_question(std::span<const std::byte> payload) {
    Decoder decoder(payload);
    constexpr std::size_t kinds = std::variant_size_v<Question>;
    const std::uint8_t kind = decoder.in.u8();
    if (kind >= kinds)
        return broken();
    Question question = empty_question(kind, std::make_index_sequence<kinds>{});
    std::visit([&](auto& q) { fields(decoder, q); }, question);
    if (!decoder.in.complete())
        return broken();
    return question;
}

} // namespace cudabench::recipe
