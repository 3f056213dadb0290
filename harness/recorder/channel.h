#pragma once

#include "recorder/descriptor.h"

namespace cudabench::recorder {

/// Two ends, neither of which a started program inherits by itself, and both numbered above those that it gets.
struct Channel {
    Descriptor ours; ///< does not block
    Descriptor theirs;

    [[nodiscard]] explicit operator bool() const { return ours && theirs; }
};

/// A pipe from the child, or a stream socket. Without ends if the system has no descriptors left.
[[nodiscard]] Channel pipe_from_child();
[[nodiscard]] Channel stream_socket();

} // namespace cudabench::recorder
