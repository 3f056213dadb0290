#include "driver/library.h"

#include <atomic>

namespace cudabench::driver {
namespace {
std::atomic<bool> kept = false;
}

void keep_libraries() noexcept {
    kept = true;
}

Library::~Library() {
    if (kept)
        owned_.abandon();
}

Library load_library(const Driver& driver, std::span<const std::byte> code) {
    CUlibrary library = nullptr;
    driver.cuLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    return {driver, library};
}

CUkernel find_kernel(const Driver& driver, const Library& library, const char* name) {
    CUkernel kernel = nullptr;
    driver.cuLibraryGetKernel(&kernel, library.get(), name);
    return kernel;
}

void launch(const Driver& driver, CUkernel kernel, unsigned blocks, unsigned threads, CUstream stream,
            std::span<void* const> arguments) {
    CUlaunchConfig config{};
    config.gridDimX = blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = threads;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    // A CUkernel stands for its CUfunction in the current context.
    driver.cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), const_cast<void**>(arguments.data()),
                            nullptr);
}

} // namespace cudabench::driver
