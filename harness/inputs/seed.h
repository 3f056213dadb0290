#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstdint>

namespace cudabench {

/// What a derived seed is for; seeds of different purposes are unrelated.
enum class Purpose : std::uint32_t {
    values,     ///< inputs of the scale's shape, first seed
    integers,   ///< inputs of the scale's shape, second seed
    edge,       ///< inputs of the edge shape `index`
    repetition, ///< inputs of the timed repetition `index`
    choice,     ///< which repetition is verified
};

/// The seed of a run: CUDABENCH_SEED (decimal, or hexadecimal after 0x) if it is set, else from the operating system.
/// Fails if the variable is no number of 64 bits, or if the system gives no random bytes.
[[nodiscard]] Expected<std::uint64_t, Failure> run_seed();

/// The seed for one purpose and index: 64 bits of a Philox block keyed by the run's seed.
[[nodiscard]] std::uint64_t derive_seed(std::uint64_t run_seed, Purpose purpose, std::uint64_t index = 0);

} // namespace cudabench
