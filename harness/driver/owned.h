#pragma once

#include "driver/driver.h"
#include "driver/lost.h"

#include <utility>

namespace cudabench::driver {

/// A handle of the driver, destroyed with its owner by the driver's function `destroy`; by nothing once the process is
/// lost. Move only. Refers to the driver, which lives as long as the process.
template <typename Handle, auto destroy> class Owned {
public:
    Owned() = default;
    Owned(const Driver& driver, Handle handle) : driver_(&driver), handle_(handle) {}
    Owned(Owned&& other) noexcept : driver_(other.driver_), handle_(std::exchange(other.handle_, Handle{})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(driver_, other.driver_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (driver_ != nullptr && handle_ != Handle{} && !lost())
            (driver_->*destroy).result(handle_);
    }

    [[nodiscard]] Handle get() const noexcept { return handle_; }
    /// Leaves it to the process, whose end destroys it.
    void abandon() noexcept { handle_ = Handle{}; }
    explicit operator bool() const noexcept { return handle_ != Handle{}; }

private:
    const Driver* driver_ = nullptr;
    Handle handle_{};
};

} // namespace cudabench::driver
