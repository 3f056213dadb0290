#pragma once

#include "executor/cpu/decode.h"
#include "executor/cpu/grid.h"
#include "executor/cpu/watch.h"
#include "ptx/parser.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace cudabench::cpu {

/// What became of a kernel that ran watched.
struct Watching {
    Counts counts;
    std::string failure; ///< empty: none
};

inline constexpr std::uint64_t watched_input = 0x200000000000;
inline constexpr std::uint64_t watched_output = 0x210000000000;
inline constexpr std::uint64_t watched_bytes = 65'536;

/// Runs a kernel of two pointers: %in to `watched_bytes` that have values, %out to as many that have none. `body` may
/// use %r0 to %r15, %rd0 to %rd7, %f0 to %f7, %p and %q, and s0, 16 KiB of shared memory; %tid is in %r0 and the thread
/// of the grid in %r1.
inline Watching watch_kernel(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                             const Findings& findings = {}, unsigned host_threads = 1) {
    const std::string text = R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{
 .reg .b64 %in, %out; .reg .b64 %rd<8>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .f64 %d<4>; .reg .pred %p, %q;
 .shared .align 16 .b8 s0[16384];
 .local .align 16 .b8 l0[64];
 ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out];
 mov.u32 %r0, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r0;
)" + body + "\n ret;\n}\n";
    const auto module = ptx::parse(text);
    if (!module)
        return {{}, module.error().message};
    const Linkage linkage(*module);
    const auto code = decode_kernel(linkage, module->functions.front());
    if (!code)
        return {{}, code.error().message};
    Memory memory;
    memory.map(watched_input, watched_bytes, true, "input", 0);
    memory.map(watched_output, watched_bytes, true, "output", 0, Contents::undefined);
    memory.watch(findings.races);
    Watched watched(findings);
    const std::array<std::uint64_t, 2> parameters = {watched_input, watched_output};
    Budget budget;
    budget.warp_steps = 10'000'000;
    budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    Grid grid;
    grid.code = &*code;
    grid.memory = &memory;
    grid.kernel = "k";
    grid.grid.x = blocks;
    grid.block.x = threads;
    grid.parameters = std::as_bytes(std::span(parameters));
    grid.budget = &budget;
    grid.watched = &watched;
    const auto done = run_grid(grid, host_threads);
    return {grid.counts, done ? "" : done.error().message};
}

} // namespace cudabench::cpu
