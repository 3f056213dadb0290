#pragma once

#include "driver/library.h"
#include "driver/memory.h"
#include "executor/gpu/device.h"

#include <cstdint>

namespace cudabench::gpu {

enum class PoisonPattern : std::uint32_t {
    not_a_number, ///< verify/poison_word.h, by which the comparison knows what was never written
    noise,        ///< seeded bits
};

/// Fills memory with what no computation should deliver, so that elements that were never written show. The bytes
/// depend on pattern, seed and position alone.
class Poison {
public:
    explicit Poison(const Device& device);

    /// Starts to fill. `address` is a multiple of 4.
    void fill(CUdeviceptr address, std::uint64_t bytes, PoisonPattern pattern, std::uint64_t seed,
              CUstream stream) const;

    /// How many bytes of memory filled by fill() with the same arguments differ now, those from `skip_from` to
    /// `skip_from` + `skip_bytes` (from `address`) left out. Waits for the stream.
    [[nodiscard]] std::uint64_t count_changed(CUdeviceptr address, std::uint64_t bytes, std::uint64_t skip_from,
                                              std::uint64_t skip_bytes, PoisonPattern pattern, std::uint64_t seed,
                                              CUstream stream) const;

private:
    const driver::Driver& driver_;
    driver::Library library_;
    CUkernel fill_;
    CUkernel count_;
    driver::DeviceMemory counter_;
};

} // namespace cudabench::gpu
