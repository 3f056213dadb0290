#pragma once

#include "device_code/cubin.h"

#include <string>
#include <vector>

namespace cudabench::device_code {

/// One fat binary (container): what cuLibraryLoadData loads, and what it holds. `image` is a view.
struct FatBinary {
    struct Ptx {
        int architecture = 0;
        std::string text; ///< without trailing NULs
    };

    Bytes image;
    std::vector<Kernel> kernels;     ///< of every cubin inside, one a name: of the highest architecture
    std::vector<Variable> variables; ///< likewise
    std::vector<Ptx> ptx;

    [[nodiscard]] const Kernel* kernel(std::string_view name) const; ///< null if there is none
    [[nodiscard]] const Variable* variable(std::string_view name) const;
};

/// The fat binaries that lie one after another in `bytes`, e.g. in an .nv_fatbin section. Accepts any bytes; a Failure
/// of stage contract says what is broken. Code that nvcc has compressed, by Zstandard or LZ4, is unpacked.
[[nodiscard]] Expected<std::vector<FatBinary>, Failure> read_fat_binaries(Bytes bytes);

/// The fat binary at an address of this process, as __cudaRegisterFatBinary gets it: its length is its own word for it,
/// so only for code that the process trusts as much as itself.
[[nodiscard]] Expected<FatBinary, Failure> read_fat_binary_at(const void* address);

/// The fat binaries of a shared object's .nv_fatbin section; none if it has no device code. One that was linked of one
/// relocatable source (-rdc=true) has the PTX of that source. Views into `file`.
[[nodiscard]] Expected<std::vector<FatBinary>, Failure> read_shared_object(Bytes file);

} // namespace cudabench::device_code
