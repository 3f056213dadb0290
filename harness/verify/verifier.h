#pragma once

#include "driver/library.h"
#include "driver/memory.h"
#include "verify/compare.h"
#include "verify/poison.h"
#include "verify/tally.h"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Compares and poisons device memory, with the results of the functions for host memory (the root mean square up to
/// the order of its sum). Holds the kernels; the driver and its context must outlive it. Everything runs in the order
/// of `stream`; what returns a value waits for it. Throws DriverError.
class Verifier {
public:
    Verifier(const driver::Driver& driver, CUstream stream);

    [[nodiscard]] Comparison compare(const Bound& bound, const DeviceOutputs& outputs) const;

    /// `bytes` from any address on.
    void fill_poison(CUdeviceptr address, std::uint64_t bytes, std::uint32_t word) const;

    /// Offset of the first of `bytes` from `address` on that does not hold the poison any more.
    [[nodiscard]] std::optional<std::uint64_t> first_changed(CUdeviceptr address, std::uint64_t bytes,
                                                             std::uint32_t word) const;

private:
    void launch(CUkernel kernel, std::uint64_t elements, std::span<void* const> arguments) const;
    void read(CUdeviceptr address, std::span<std::byte> destination) const;
    void write(std::span<const std::byte> answer) const;
    [[nodiscard]] Tally gather(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t from) const;
    [[nodiscard]] Difference difference(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t index) const;

    const driver::Driver& driver_;
    CUstream stream_;
    driver::Library library_;
    driver::DeviceMemory answer_; ///< of one kernel
    CUkernel compare_;
    CUkernel fill_poison_;
    CUkernel first_changed_;
};

} // namespace cudabench::verify
