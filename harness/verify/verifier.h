#pragma once

#include "driver/library.h"
#include "driver/memory.h"
#include "verify/compare.h"
#include "verify/tally.h"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cudabench::verify {

/// An output and its reference in device memory. `magnitude` holds A of each element, in the dtype of the output; where
/// it is 0, A is the magnitude of the expected value.
struct DeviceOutputs {
    CUdeviceptr got = 0;
    CUdeviceptr expected = 0;
    CUdeviceptr magnitude = 0;
    std::uint64_t elements = 0;
};

/// Compares device memory, with the results of compare_on_host() (the root mean square up to the order of its sum).
/// Holds the kernels; the driver and its context must outlive it. Everything runs in the order of `stream`; what
/// returns a value waits for it. Throws DriverError.
class Verifier {
public:
    Verifier(const driver::Driver& driver, CUstream stream);

    [[nodiscard]] Comparison compare(const Bound& bound, const DeviceOutputs& outputs) const;

private:
    void read(CUdeviceptr address, std::span<std::byte> destination) const;
    void write(std::span<const std::byte> answer) const;
    [[nodiscard]] Tally gather(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t from) const;
    [[nodiscard]] Difference difference(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t index) const;

    const driver::Driver& driver_;
    CUstream stream_;
    driver::Library library_;
    driver::DeviceMemory answer_; ///< of one kernel
    CUkernel compare_;
};

} // namespace cudabench::verify
