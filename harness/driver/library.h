#pragma once

#include "driver/owned.h"

#include <cstddef>
#include <span>

namespace cudabench::driver {

using Library = Owned<CUlibrary, &Driver::cuLibraryUnload>;

/// Loads a fat binary, cubin or PTX. Throws DriverError, e.g. if it holds no code for the GPU.
Library load_library(const Driver& driver, std::span<const std::byte> code);

/// A kernel by its mangled name; throws DriverError if the library has none.
CUkernel find_kernel(const Driver& driver, const Library& library, const char* name);

/// The kernel in the current context, loaded if it was not: what a launch takes. It takes the kernel itself too, but
/// then CUPTI, where it counts, reads what is not there, and now and then ends the process. Throws DriverError.
CUfunction function_of(const Driver& driver, CUkernel kernel);

/// Starts a kernel. `arguments`: the address of each, in the kernel's order.
void launch(const Driver& driver, CUkernel kernel, unsigned blocks, unsigned threads, CUstream stream,
            std::span<void* const> arguments);

} // namespace cudabench::driver
