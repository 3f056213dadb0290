#include "driver/library.h"

namespace cudabench::driver {

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

CUfunction function_of(const Driver& driver, CUkernel kernel) {
    CUfunction function = nullptr;
    driver.cuKernelGetFunction(&function, kernel);
    return function;
}

void launch(const Driver& driver, CUkernel kernel, unsigned blocks, unsigned threads, CUstream stream,
            std::span<void* const> arguments) {
    CUlaunchConfig config{};
    config.gridDimX = blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = threads;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    driver.cuLaunchKernelEx(&config, function_of(driver, kernel), const_cast<void**>(arguments.data()), nullptr);
}

} // namespace cudabench::driver
