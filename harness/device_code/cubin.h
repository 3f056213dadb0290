#pragma once

#include "device_code/elf.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudabench::device_code {

/// What a cubin says of one kernel. Sizes are bytes.
struct Kernel {
    std::string name;                           ///< mangled
    std::vector<std::uint32_t> parameter_bytes; ///< in declared order
    std::uint32_t registers = 0;                ///< a thread
    std::uint32_t static_shared_bytes = 0;      ///< declared by the kernel, without what the driver reserves
    std::uint32_t local_bytes = 0;              ///< stack frame a thread, callees included
    std::uint32_t constant_bytes = 0;           ///< of the module's __constant__ variables
    std::uint32_t max_threads = 0;              ///< a block, of __launch_bounds__; 0: not bounded
    std::array<std::uint32_t, 3> cluster{};     ///< of __cluster_dims__; zeros: none
    int architecture = 0;                       ///< e.g. 90

    bool operator==(const Kernel&) const = default;
};

/// A module-scope variable, also a static one or one in a function: `name` is what the device code calls it.
struct Variable {
    std::string name;
    std::uint64_t bytes = 0;
    bool constant = false; ///< __constant__, else __device__
    bool initial = false;  ///< starts with another value than zeros; not told of __constant__

    bool operator==(const Variable&) const = default;
};

struct Cubin {
    std::vector<Kernel> kernels;
    std::vector<Variable> variables;
};

/// `architecture` is what the fat binary says of it. Accepts any bytes; else a Failure of stage contract.
/// The format is not published: attribute numbers and layouts are those that nvcc 13.0 writes, and are compared with
/// the compiler's own report (-Xptxas -v) by tests/device_code.
[[nodiscard]] Expected<Cubin, Failure> read_cubin(Bytes file, int architecture);

} // namespace cudabench::device_code
