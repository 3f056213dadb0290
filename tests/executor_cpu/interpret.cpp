#include "executor/cpu/decode.h"
#include "executor/cpu/grid.h"
#include "ptx/parser.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

// interpret <text.ptx> <input> <output> [blocks]: runs each kernel of the text on blocks (one) of 32 threads. A kernel
// takes two pointers: the input, and where it writes 16 bytes a thread. The output holds 512 bytes for each block of
// each kernel, in the order of the text. A kernel that cannot be interpreted is named on standard error.

namespace {

using namespace cudabench;

constexpr std::uint64_t input_address = 0x200000000000;
constexpr std::uint64_t output_address = 0x210000000000;
constexpr std::uint64_t block_bytes = 16 * cpu::warp_size;

std::string read(const char* path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5)
        return 2;
    const auto blocks = static_cast<std::uint32_t>(argc == 5 ? std::stoul(argv[4]) : 1);
    const std::uint64_t output_bytes = block_bytes * blocks;
    const std::string text = read(argv[1]);
    const std::string input = read(argv[2]);
    std::ofstream output(argv[3], std::ios::binary);
    const auto module = ptx::parse(text);
    if (!module) {
        std::cerr << module.error().message << '\n';
        return 1;
    }
    const cpu::Linkage linkage(*module);
    cpu::Memory memory;
    memory.map(input_address, input.size(), false, "input", 0);
    std::memcpy(memory.at(input_address, input.size()), input.data(), input.size());
    memory.map(output_address, output_bytes, true, "output", 0);
    int failures = 0;
    for (const ptx::Function& kernel : module->functions) {
        std::memset(memory.at(output_address, output_bytes), 0, output_bytes);
        const auto code = cpu::decode_kernel(linkage, kernel);
        std::string message = code ? "" : code.error().message;
        if (code) {
            std::array<std::uint64_t, 2> parameters = {input_address, output_address};
            cpu::Budget budget;
            budget.warp_steps = 1'000'000 * std::int64_t{blocks};
            budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
            cpu::Grid grid;
            grid.code = &*code;
            grid.memory = &memory;
            grid.kernel = kernel.name;
            grid.grid.x = blocks;
            grid.block.x = cpu::warp_size;
            grid.parameters = std::as_bytes(std::span(parameters));
            grid.budget = &budget;
            if (const auto done = cpu::run_grid(grid, 1); !done)
                message = done.error().message;
        }
        if (!message.empty()) {
            std::cerr << kernel.name << ": " << message << '\n';
            ++failures;
        }
        output.write(reinterpret_cast<const char*>(memory.at(output_address, output_bytes)),
                     static_cast<std::streamsize>(output_bytes));
    }
    return failures == 0 ? 0 : 1;
}
