#pragma once

#include "recorder/record.h"

#include <utility>

namespace cudabench::recorder {

/// Has no device to ask: the recording ends at the first question.
class NoAnswers : public Answers {
public:
    /// `needs`: what every question is answered with.
    explicit NoAnswers(Failure needs) : needs_(std::move(needs)) {}

    Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe&, const recipe::CopyToHost&) override {
        asked_ = true;
        return needs_;
    }
    Expected<recipe::Address, Failure> symbol_address(const std::string&) override { return needs_; }
    Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe&, const recipe::CreateTexture&) override {
        return needs_;
    }
    Expected<std::vector<std::byte>, Failure> tensor_map(const recipe::TensorMap&) override { return needs_; }
    Expected<std::uint64_t, Failure> cluster_occupancy(const recipe::ClusterOccupancy&) override { return needs_; }

    /// Whether the host code asked for memory, on which what it does then depends.
    [[nodiscard]] bool asked() const { return asked_; }

private:
    Failure needs_;
    bool asked_ = false;
};

} // namespace cudabench::recorder
