#pragma once

#include "recipe/message.h"
#include "recorder/record.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabench::recorder {

/// What the recorder says over the socket, turned into a recipe: a state machine over hostile bytes. It does no
/// input or output itself.
class Conversation {
public:
    Conversation(const recipe::Limits& limits, Answers& answers) : limits_(limits), answers_(answers) {}

    void say(recipe::FrameKind kind, std::span<const std::byte> payload);
    void hear(std::span<const std::byte> bytes);

    /// Bytes for the other side. While there are any, what was heard is left alone: a recorder that asks and never
    /// listens waits for itself.
    [[nodiscard]] std::span<const std::byte> unsent() const { return std::span(outgoing_).subspan(sent_); }
    void sent(std::size_t bytes);

    /// Nothing more is to be heard: host code returned, or `failure` says why not.
    [[nodiscard]] bool over() const { return done_ || failure_; }
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
    [[nodiscard]] std::chrono::steady_clock::duration answering() const { return answering_; }

    [[nodiscard]] recipe::Recipe take_recipe() { return std::move(recipe_); }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

private:
    void go_on();
    void handle(const recipe::Frame& frame);
    void add_operation(std::span<const std::byte> payload);
    void add_note(std::span<const std::byte> payload);
    void answer(std::span<const std::byte> payload);
    Expected<std::vector<std::byte>, Failure> answer_to(const recipe::CopyToHost& question);
    Expected<std::vector<std::byte>, Failure> answer_to(const recipe::SymbolAddress& question);
    Expected<std::vector<std::byte>, Failure> answer_to(const recipe::CreateTexture& question);
    Expected<std::vector<std::byte>, Failure> answer_to(const recipe::TensorMap& question);
    Expected<std::vector<std::byte>, Failure> answer_to(const recipe::ClusterOccupancy& question);
    bool charge(std::size_t bytes);
    void fail(std::string message) { failure_ = Failure{Stage::contract, std::move(message)}; }

    recipe::Limits limits_;
    Answers& answers_;
    recipe::FrameBuffer incoming_;
    std::vector<std::byte> outgoing_;
    std::size_t sent_ = 0;
    recipe::Recipe recipe_;
    std::uint64_t charged_ = 0; ///< operations and questions, also those that leave nothing in the recipe
    std::uint64_t recipe_bytes_ = 0;
    std::vector<std::string> notes_;
    std::optional<Failure> failure_;
    std::chrono::steady_clock::duration answering_{};
    bool done_ = false;
};

} // namespace cudabench::recorder
