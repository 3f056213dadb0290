#pragma once

#include "recipe/message.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::runtime {

/// What the recording runtime said about one call of a candidate.
struct Recorded {
    std::vector<recipe::Operation> operations; ///< questions for copies among them, as the recipe has them
    std::vector<std::string> notes;
    std::optional<std::string> unsupported;
    bool done = false;
    int exit_status = -1; ///< as waitpid says

    /// The operations of one kind, in order.
    template <typename Kind> [[nodiscard]] std::vector<Kind> all() const {
        std::vector<Kind> result;
        for (const auto& operation : operations)
            if (const auto* wanted = std::get_if<Kind>(&operation))
                result.push_back(*wanted);
        return result;
    }

    /// The values that host code showed by observe<<<>>>(value), in order.
    [[nodiscard]] std::vector<int> observed() const;
};

using Answers = std::function<recipe::Answer(const recipe::Question&)>;

/// An H200, a workspace of 4 GiB, an input and an output of 1 MiB.
[[nodiscard]] recipe::Hello some_hello();

/// Plays the executor: a child process loads the candidate and makes the call that `hello` says.
[[nodiscard]] Recorded record(const std::string& candidate, const recipe::Hello& hello, const Answers& answers);

/// The little-endian integer that an argument's bytes are.
[[nodiscard]] std::uint64_t integer(const std::vector<std::byte>& bytes);

} // namespace cudabench::runtime
