#pragma once

#include "recipe/message.h"

#include <cstddef>
#include <string>
#include <vector>

namespace cudabench::runtime {

/// The recorder's end of the socket. Operations are collected and sent together. Ends the process if the executor is
/// gone: nobody is left to tell.
class ExecutorLink {
public:
    void open(int socket) { socket_ = socket; }
    [[nodiscard]] recipe::Hello read_hello();

    void operation(const recipe::Operation& operation);
    /// A sentence for whoever reads the result; only the first hundred are sent.
    void note(const std::string& text);
    [[nodiscard]] recipe::Answer ask(const recipe::Question& question);
    /// Ends the process: host code called what cannot be recorded.
    [[noreturn]] void unsupported(const std::string& name);
    void done();

private:
    void frame(recipe::FrameKind kind, const std::vector<std::byte>& payload);
    void flush();

    int socket_ = -1;
    int notes_ = 0;
    std::vector<std::byte> unsent_;
};

} // namespace cudabench::runtime
