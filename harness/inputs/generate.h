#pragma once

#include "driver/library.h"
#include "inputs/draw.h"

#include <cstddef>
#include <span>

/// Inputs by the definition in inputs/draw.h.
namespace cudabench {

/// Fills `destination` with the elements of `draw`. Throws std::invalid_argument unless it has
/// draw.elements x size_in_bytes(draw.dtype) bytes.
void generate_on_host(const Draw& draw, std::span<std::byte> destination);

/// Fills device memory with the same bits. Holds the kernel; the driver and its context must outlive it.
class Generator {
public:
    /// Throws DriverError.
    explicit Generator(const driver::Driver& driver);

    /// Starts filling draw.elements elements at `destination`, aligned for the dtype, in the order of `stream`. Throws
    /// DriverError.
    void generate(const Draw& draw, CUdeviceptr destination, CUstream stream) const;

private:
    const driver::Driver& driver_;
    driver::Library library_;
    CUkernel kernel_;
};

} // namespace cudabench
