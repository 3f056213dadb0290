// inputs_sample <dtype> <kind> <a> <b> <drift> <needle probability> <needle factor> <seed> <input> <elements>
// Writes the elements, as they lie in memory, to standard output. Enumerations are given by their numbers.
#include "inputs/generate.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

int run(const std::vector<std::string>& words) {
    cudabench::Distribution distribution;
    const auto dtype = static_cast<cudabench::Dtype>(std::stoi(words.at(0)));
    distribution.kind = static_cast<cudabench::Distribution::Kind>(std::stoi(words.at(1)));
    distribution.a = std::stod(words.at(2));
    distribution.b = std::stod(words.at(3));
    distribution.drift = words.at(4) == "1";
    distribution.needle_probability = std::stod(words.at(5));
    distribution.needle_factor = std::stod(words.at(6));
    const auto input = static_cast<std::uint32_t>(std::stoul(words.at(8)));
    const std::uint64_t elements = std::stoull(words.at(9));
    const std::size_t width = dtype == cudabench::Dtype::uint8                                         ? 1
                              : dtype == cudabench::Dtype::float64 || dtype == cudabench::Dtype::int64 ? 8
                                                                                                       : 4;
    std::vector<std::byte> bytes(elements * width);
    generate_on_host(prepare_draw(distribution, dtype, std::stoull(words.at(7)), input, elements), bytes);
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "inputs_sample: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
