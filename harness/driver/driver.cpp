#include "driver/driver.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <string>

#define CUDABENCH_TEXT(name) #name
// Expands the argument first, so that cuMemAlloc becomes "cuMemAlloc_v2".
#define CUDABENCH_EXPANDED_TEXT(name) CUDABENCH_TEXT(name)

namespace cudabench::driver {
namespace {

Driver functions;

Failure needs_gpu(const std::string& why) {
    return {Stage::not_run, "needs a GPU: " + why};
}

std::string words(CUresult result) {
    const char* text = nullptr;
    functions.cuGetErrorString.result(result, &text);
    return text != nullptr ? text : fmt::format("error {}", static_cast<int>(result));
}

} // namespace

void detail::throw_driver_error(const char* function, CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    functions.cuGetErrorName.result(result, &name);
    functions.cuGetErrorString.result(result, &text);
    throw DriverError(function, result, name != nullptr ? name : "unknown", text != nullptr ? text : "no description");
}

namespace {

Expected<Done, Failure> initialise() {
    if (const CUresult result = functions.cuInit.result(0); result != CUDA_SUCCESS)
        return needs_gpu(fmt::format("the CUDA driver does not start ({})", words(result)));
    int devices = 0;
    if (functions.cuDeviceGetCount.result(&devices) != CUDA_SUCCESS || devices == 0)
        return needs_gpu("the CUDA driver sees none (is CUDA_VISIBLE_DEVICES set?)");
    return Done{};
}

} // namespace

Expected<const Driver*, Failure> load() {
    static const Expected<const Driver*, Failure> loaded = []() -> Expected<const Driver*, Failure> {
        void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return needs_gpu("there is no CUDA driver (libcuda.so.1) on this machine");
        const char* missing = nullptr;
        const auto find = [&]<typename... Arguments>(Function<CUresult (*)(Arguments...)>& function, const char* name) {
            function.name_ = name;
            function.pointer_ = reinterpret_cast<CUresult (*)(Arguments...)>(::dlsym(library, name));
            if (function.pointer_ == nullptr)
                missing = name;
        };
#define CUDABENCH_FIND(name) find(functions.name, CUDABENCH_EXPANDED_TEXT(name));
        CUDABENCH_DRIVER_FUNCTIONS(CUDABENCH_FIND)
#undef CUDABENCH_FIND
        if (missing != nullptr)
            return needs_gpu(fmt::format("the CUDA driver is too old, it has no {}; install one for CUDA {}.{}",
                                         missing, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10));
        if (const auto initialised = initialise(); !initialised)
            return initialised.error();
        return &functions;
    }();
    return loaded;
}

} // namespace cudabench::driver
