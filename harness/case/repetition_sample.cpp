#include "case/repetition_sample.h"

#include "inputs/seed.h"

#include <algorithm>

namespace cudabench {

std::optional<std::size_t> RepetitionSample::place(std::uint64_t index) const {
    if (index < size_)
        return static_cast<std::size_t>(index);
    const std::uint64_t drawn = derive_seed(seed_, Purpose::choice, index) % (index + 1);
    return drawn < size_ ? std::optional(static_cast<std::size_t>(drawn)) : std::nullopt;
}

std::size_t RepetitionSample::size_for(std::uint64_t output_bytes) {
    constexpr std::uint64_t budget = std::uint64_t{4} << 30;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(budget / std::max<std::uint64_t>(output_bytes, 1), 4, 8));
}

} // namespace cudabench
