#include "inputs/seed.h"

#include "inputs/philox.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/random.h>

namespace cudabench {
namespace {

constexpr std::uint32_t seed_lane = 3; // the lanes 0 to 2 of a counter belong to draw.h

Expected<std::uint64_t, Failure> parse_seed(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = text.substr(hexadecimal ? 2 : 0);
    std::uint64_t seed = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), seed, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
        return Failure{Stage::fault,
                       fmt::format("CUDABENCH_SEED is '{}': give a whole number from 0 to 2^64 - 1, decimal "
                                   "or hexadecimal after 0x",
                                   text)};
    }
    return seed;
}

} // namespace

Expected<std::uint64_t, Failure> run_seed() {
    if (const char* text = std::getenv("CUDABENCH_SEED")) {
        return parse_seed(text);
    }
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
        return Failure{Stage::fault, "the operating system gives no random seed (getrandom): set CUDABENCH_SEED"};
    }
    return seed;
}

std::uint64_t derive_seed(std::uint64_t run_seed, Purpose purpose, std::uint64_t index) {
    const PhiloxBlock counter{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                               static_cast<std::uint32_t>(purpose), seed_lane}};
    const PhiloxBlock bits = philox(counter, run_seed);
    return (static_cast<std::uint64_t>(bits.word[1]) << 32) | bits.word[0];
}

} // namespace cudabench
