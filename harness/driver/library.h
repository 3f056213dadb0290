#pragma once

#include "driver/owned.h"

#include <cstddef>
#include <span>

namespace cudabench::driver {

/// From now on no library is unloaded before the process ends. For processes that CUPTI counts in: it keeps what it
/// knows of kernels by their addresses, also when they are unloaded, and of the next one at the same address that is
/// wrong; launching it can then end the process.
void keep_libraries() noexcept;

/// Loaded code, unloaded with its owner. Move only.
class Library {
public:
    Library() = default;
    Library(const Driver& driver, CUlibrary handle) : owned_(driver, handle) {}
    Library(Library&&) noexcept = default;
    Library& operator=(Library&&) noexcept = default;
    ~Library();

    [[nodiscard]] CUlibrary get() const noexcept { return owned_.get(); }

private:
    Owned<CUlibrary, &Driver::cuLibraryUnload> owned_;
};

/// Loads a fat binary, cubin or PTX. Throws DriverError, e.g. if it holds no code for the GPU.
Library load_library(const Driver& driver, std::span<const std::byte> code);

/// A kernel by its mangled name; throws DriverError if the library has none.
CUkernel find_kernel(const Driver& driver, const Library& library, const char* name);

/// Starts a kernel. `arguments`: the address of each, in the kernel's order.
void launch(const Driver& driver, CUkernel kernel, unsigned blocks, unsigned threads, CUstream stream,
            std::span<void* const> arguments);

} // namespace cudabench::driver
