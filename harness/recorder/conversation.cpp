#include "recorder/conversation.h"

#include "recipe/bytes.h"
#include "recipe/wire.h"

#include <fmt/format.h>

namespace cudabench::recorder {

namespace {

constexpr std::size_t most_notes = 1000;

using Bytes = Expected<std::vector<std::byte>, Failure>;

std::vector<std::byte> eight_bytes(std::uint64_t value) {
    recipe::ByteWriter bytes;
    bytes.u64(value);
    return bytes.take();
}

/// Bytes of a copy, or nothing if they are more than one answer can hold.
std::optional<std::uint64_t> size_of(const recipe::Region& region) {
    if (region.rows != 0 && region.row_bytes > recipe::max_copy_bytes / region.rows)
        return std::nullopt;
    return region.rows * region.row_bytes;
}

} // namespace

void Conversation::say(recipe::FrameKind kind, std::span<const std::byte> payload) {
    const auto frame = recipe::encode_frame(kind, payload);
    outgoing_.insert(outgoing_.end(), frame.begin(), frame.end());
}

void Conversation::sent(std::size_t bytes) {
    sent_ += bytes;
    if (sent_ < outgoing_.size())
        return;
    outgoing_.clear();
    sent_ = 0;
    go_on();
}

void Conversation::hear(std::span<const std::byte> bytes) {
    incoming_.append(bytes);
    go_on();
}

void Conversation::go_on() {
    while (!over() && unsent().empty()) {
        auto frame = incoming_.next();
        if (!frame)
            return fail("the recorder sent a " + frame.error().message);
        if (!*frame)
            return;
        handle(**frame);
    }
}

void Conversation::handle(const recipe::Frame& frame) {
    switch (frame.kind) {
    case recipe::FrameKind::operation: return add_operation(frame.payload);
    case recipe::FrameKind::note: return add_note(frame.payload);
    case recipe::FrameKind::question: return answer(frame.payload);
    case recipe::FrameKind::unsupported: return fail("unsupported_api: " + recipe::decode_text(frame.payload));
    case recipe::FrameKind::done: done_ = true; return;
    case recipe::FrameKind::hello:
    case recipe::FrameKind::answer: break;
    }
    fail("the recorder sent a broken message: one that only the executor may send");
}

void Conversation::add_operation(std::span<const std::byte> payload) {
    if (!charge(payload.size()))
        return;
    auto operation = recipe::decode_operation(payload);
    if (!operation)
        return fail("the recorder sent a " + operation.error().message);
    if (std::holds_alternative<recipe::CopyToHost>(*operation) ||
        std::holds_alternative<recipe::CreateTexture>(*operation))
        return fail("the recorder sent a broken message: a question that is sent as an operation");
    recipe_.operations.push_back(std::move(*operation));
}

bool Conversation::charge(std::size_t bytes) {
    recipe_bytes_ += bytes;
    if (++charged_ > limits_.operations)
        fail(fmt::format("recipe too long: more than {} operations", limits_.operations));
    else if (recipe_bytes_ > limits_.bytes)
        fail(fmt::format("recipe too long: more than {} bytes", limits_.bytes));
    return !failure_;
}

void Conversation::add_note(std::span<const std::byte> payload) {
    if (notes_.size() == most_notes)
        return fail(fmt::format("the recorder sent more than {} notes", most_notes));
    notes_.push_back(recipe::decode_text(payload));
}

void Conversation::answer(std::span<const std::byte> payload) {
    const auto question = recipe::decode_question(payload);
    if (!question)
        return fail("the recorder sent a " + question.error().message);
    const auto start = std::chrono::steady_clock::now();
    Bytes bytes = std::visit([this](const auto& asked) { return answer_to(asked); }, *question);
    answering_ += std::chrono::steady_clock::now() - start;
    if (bytes)
        say(recipe::FrameKind::answer, recipe::encode(recipe::Answer{0, std::move(*bytes)}));
    else
        failure_ = bytes.error();
}

Bytes Conversation::answer_to(const recipe::CopyToHost& question) {
    const auto size = size_of(question.region);
    if (!size)
        return Failure{Stage::contract, "the recorder sent a broken message: it asks for too many bytes at once"};
    if (!charge(recipe::encode(recipe::Operation(question)).size()))
        return *failure_;
    Bytes bytes = answers_.copy_to_host(recipe_, question);
    if (bytes && bytes->size() != *size)
        return Failure{Stage::fault, fmt::format("a copy to the host gave {} bytes, not {}", bytes->size(), *size)};
    if (bytes)
        recipe_.operations.emplace_back(question);
    return bytes;
}

Bytes Conversation::answer_to(const recipe::SymbolAddress& question) {
    if (!charge(question.name.size() + 1))
        return *failure_;
    const auto address = answers_.symbol_address(question.name);
    if (!address)
        return address.error();
    return eight_bytes(*address);
}

Bytes Conversation::answer_to(const recipe::CreateTexture& question) {
    recipe::CreateTexture made = question;
    made.handle = 0;
    if (!charge(recipe::encode(recipe::Operation(made)).size()))
        return *failure_;
    const auto handle = answers_.create_texture(recipe_, made);
    if (!handle)
        return handle.error();
    made.handle = *handle;
    recipe_.operations.emplace_back(made);
    return eight_bytes(*handle);
}

Bytes Conversation::answer_to(const recipe::TensorMap& question) {
    if (question.rank == 0 || question.rank > recipe::TensorMap::most_dimensions)
        return Failure{Stage::contract, "the recorder sent a broken message: a tensor map of an impossible rank"};
    if (!charge(recipe::TensorMap::bytes))
        return *failure_;
    Bytes bytes = answers_.tensor_map(question);
    if (bytes && bytes->size() != recipe::TensorMap::bytes)
        return Failure{Stage::fault, fmt::format("a tensor map of {} bytes", bytes->size())};
    return bytes;
}

Bytes Conversation::answer_to(const recipe::ClusterOccupancy& question) {
    if (!charge(recipe::encode(recipe::Operation(question.launch)).size()))
        return *failure_;
    const auto clusters = answers_.cluster_occupancy(question);
    return clusters ? Bytes(eight_bytes(*clusters)) : Bytes(clusters.error());
}

} // namespace cudabench::recorder
