#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabench {

/// Which timed repetitions are verified: a uniform sample of all that there will have been, however many, that nothing
/// on the device can foresee, since it depends on the run's seed. So a candidate that skips work in the repetitions
/// that make the median cannot know which it must do. Reservoir sampling: Vitter, "Random Sampling with a Reservoir",
/// ACM TOMS 1985, Algorithm R.
class RepetitionSample {
public:
    RepetitionSample(std::uint64_t run_seed, std::size_t size) : seed_(run_seed), size_(size) {}

    /// The place in the sample that repetition `index` takes, instead of what is there; none if it is not sampled. To
    /// be asked for 0, 1, 2, ... in turn.
    [[nodiscard]] std::optional<std::size_t> place(std::uint64_t index) const;

    /// Between 4 and 8, fewer for large outputs: what is sampled takes at most about 4 GiB of device memory.
    [[nodiscard]] static std::size_t size_for(std::uint64_t output_bytes);

private:
    std::uint64_t seed_;
    std::size_t size_;
};

} // namespace cudabench
