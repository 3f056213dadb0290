#include "executor/cpu/performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

// How many instructions of threads the CPU executor interprets in a second on one core, for four kinds of kernels; and
// how much longer it takes while accesses are counted and checked. Best of five; seconds of the processor, which what
// else the machine does changes little.
//   ninja cpu_executor_benchmark && bin/cpu_executor_benchmark

namespace {

using namespace cudabench;

constexpr double target = 5e8; ///< of the first two
constexpr std::uint64_t elements = std::uint64_t{1} << 22;
constexpr std::uint64_t bytes = elements * 4;
constexpr recipe::Address first = 0x200000000000;
constexpr recipe::Address second = 0x210000000000;
constexpr recipe::Address third = 0x220000000000;
constexpr int n = static_cast<int>(elements);
constexpr int side = 256; ///< of matrices

template <typename T> std::vector<std::byte> argument(const T& value) {
    std::vector<std::byte> all(sizeof value);
    std::memcpy(all.data(), &value, sizeof value);
    return all;
}

struct Kind {
    std::string kernel;
    recipe::Extent grid;
    recipe::Extent block;
    std::vector<std::vector<std::byte>> arguments;
    bool has_target = false;
};

void fill(cpu::Memory& memory) {
    for (const recipe::Address address : {first, second, third}) {
        auto* const words = reinterpret_cast<std::uint32_t*>(memory.at(address, bytes));
        for (std::uint64_t i = 0; i < elements; ++i)
            words[i] = address == third ? static_cast<std::uint32_t>(i * 2654435761U)
                                        : std::bit_cast<std::uint32_t>(static_cast<float>(i % 7));
    }
}

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Rate {
    double instructions = 0; ///< a second
    double seconds = 0;
};

Rate best_rate(cpu::Memory& memory, cpu::Program& program, const Kind& kind, const cpu::How& how) {
    recipe::Launch launch;
    launch.kernel = kind.kernel;
    launch.grid = kind.grid;
    launch.block = kind.block;
    launch.arguments = kind.arguments;
    const std::vector<recipe::Operation> operations = {launch};
    Rate best;
    for (int repetition = 0; repetition < 5; ++repetition) {
        fill(memory);
        cpu::Performance performance(memory, program, how);
        const double start = processor_seconds();
        if (const auto done = performance.perform(operations); !done)
            throw std::runtime_error(done.error().message);
        const double seconds = processor_seconds() - start;
        const double rate = static_cast<double>(performance.counts().of(cpu::Quantity::thread_instructions)) / seconds;
        if (rate > best.instructions)
            best = {rate, seconds};
    }
    return best;
}

} // namespace

int main() {
    auto program = cpu::Program::load(CUDABENCH_BENCHMARK_KERNELS);
    if (!program) {
        fmt::print("{}\n", program.error().message);
        return 1;
    }
    const auto pointer = [](recipe::Address address) { return argument(address); };
    const std::vector<Kind> kinds = {
        {"elementwise", {n / 256}, {256}, {pointer(first), pointer(second), argument(n)}, true},
        {"tiled_gemm",
         {side / 16, side / 16},
         {16, 16},
         {pointer(first), pointer(second), pointer(third), argument(side)},
         true},
        {"reduction", {256}, {256}, {pointer(first), pointer(second), argument(n)}},
        {"sort", {n / 2048 / 8}, {256}, {pointer(third)}}};
    fmt::print("{:<12} {:>24} {:>10} {:>22}\n", "kernel", "thread-instructions/s", "of target",
               "checked: times slower");
    try {
        for (const Kind& kind : kinds) {
            const auto memory = std::make_unique<cpu::Memory>();
            for (const recipe::Address address : {first, second, third})
                memory->map(address, bytes, true, "buffer", 0);
            const Rate plain = best_rate(*memory, *program, kind, {});
            const Rate checked = best_rate(*memory, *program, kind, {.watch = cpu::Findings{}});
            fmt::print("{:<12} {:>24.3g} {:>10} {:>22.1f}\n", kind.kernel, plain.instructions,
                       kind.has_target ? fmt::format("{:.2f}", plain.instructions / target) : "",
                       checked.seconds / plain.seconds);
        }
    } catch (const std::exception& error) {
        fmt::print("{}\n", error.what());
        return 1;
    }
    return 0;
}
