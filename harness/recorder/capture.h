#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <unistd.h>

namespace cudabench::recorder {

/// Reads a descriptor that does not block, and keeps at most `limit` bytes.
class Capture {
public:
    Capture(int descriptor, std::uint64_t limit) : descriptor_(descriptor), limit_(limit) {}

    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] bool open() const { return open_; }
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    [[nodiscard]] const std::string& text() const { return text_; }

    /// One read. Whether something came.
    bool take() {
        std::array<char, 65536> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
        const ssize_t got = open_ ? read(descriptor_, bytes.data(), bytes.size()) : 0;
        if (got <= 0) {
            open_ = open_ && got < 0 && (errno == EAGAIN || errno == EINTR);
            return false;
        }
        const auto arrived = static_cast<std::uint64_t>(got);
        const std::uint64_t kept = std::min(arrived, limit_ - text_.size());
        overflowed_ = overflowed_ || kept < arrived;
        text_.append(bytes.data(), kept);
        return true;
    }

    /// All that is there, up to the limit.
    void drain() {
        while (!overflowed_ && take()) {
        }
    }

private:
    int descriptor_;
    std::uint64_t limit_;
    std::string text_;
    bool open_ = true;
    bool overflowed_ = false;
};

} // namespace cudabench::recorder
