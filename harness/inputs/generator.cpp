#include "embedded/generate_kernel.h"
#include "inputs/generate.h"

#include <algorithm>
#include <array>

namespace cudabench {

Generator::Generator(const driver::Driver& driver)
    : driver_(driver), library_(driver::load_library(driver, embedded::generate_kernel())),
      kernel_(driver::find_kernel(driver, library_, "cudabench_generate")) {}

void Generator::generate(const Draw& draw, CUdeviceptr destination, CUstream stream) const {
    if (draw.elements == 0) {
        return;
    }
    constexpr unsigned threads = 256;
    constexpr std::uint64_t most_blocks = 1U << 16;
    const auto blocks = static_cast<unsigned>(std::min((draw.elements + threads - 1) / threads, most_blocks));
    Draw argument = draw;
    const std::array<void*, 2> arguments{&argument, &destination};
    driver::launch(driver_, kernel_, blocks, threads, stream, arguments);
}

} // namespace cudabench
