#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace cudabench::driver {

/// A function of the CUDA driver did not succeed. The message names the function, the error by number, by the
/// runtime's and by the driver's name, and the driver's own words for it.
class DriverError : public std::runtime_error {
public:
    /// Marks the process lost if the error is a fault of the device (driver/lost.h).
    DriverError(const char* function, CUresult result, const char* name, const char* text);

    [[nodiscard]] CUresult result() const noexcept { return result_; }
    /// The driver's function that did not succeed.
    [[nodiscard]] const std::string& function() const noexcept { return function_; }
    /// "CUDA error 700 (cudaErrorIllegalAddress / CUDA_ERROR_ILLEGAL_ADDRESS): an illegal memory access ..."
    [[nodiscard]] const std::string& description() const noexcept { return description_; }

private:
    CUresult result_;
    std::string function_;
    std::string description_;
};

/// Whether an error is a fault of code that ran on the device, after which the context is of no more use.
[[nodiscard]] bool is_device_fault(CUresult result) noexcept;

} // namespace cudabench::driver
