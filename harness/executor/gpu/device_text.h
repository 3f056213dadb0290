#pragma once

#include <cstddef>
#include <string>

namespace cudabench::gpu {

/// While this lives, what device code prints (printf, assert) goes to a buffer instead of the process's output, where
/// it could forge what a test program says. The driver writes it to file descriptors 1 and 2 when the host waits for
/// the device; so nothing else may print meanwhile. Beyond `capacity` it is lost.
class DeviceText {
public:
    static constexpr std::size_t capacity = std::size_t{64} << 10;
    static constexpr std::size_t shown = std::size_t{4} << 10;

    DeviceText();
    ~DeviceText();
    DeviceText(const DeviceText&) = delete;
    DeviceText& operator=(const DeviceText&) = delete;

    /// The first `shown` bytes so far, by harmless_text(). The host must have waited for the device.
    [[nodiscard]] std::string text() const;

private:
    int buffer_;
    int output_; ///< the process's own
    int errors_;
};

} // namespace cudabench::gpu
