#include "counters/cupti.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace cudabench::counters {
namespace {

/// Where libcupti is: what CUDABENCH_CUPTI names and nothing else; or by the loader's own search, in the toolkit of the
/// build, in the usual one.
std::vector<std::string> places() {
    if (const char* named = std::getenv("CUDABENCH_CUPTI"); named != nullptr && *named != '\0')
        return {named};
    std::vector<std::string> places{"libcupti.so.13", CUDABENCH_TOOLKIT_LIBRARIES "/libcupti.so.13"};
    for (const char* toolkit : {CUDABENCH_TOOLKIT, "/usr/local/cuda"})
        for (const char* folder : {"lib64", "extras/CUPTI/lib64"})
            places.push_back(fmt::format("{}/{}/libcupti.so.13", toolkit, folder));
    return places;
}

Cupti functions;
CUptiResult (*result_string)(CUptiResult, const char**) = nullptr;

void* open_library() {
    for (const std::string& place : places())
        if (void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL))
            return library;
    return nullptr;
}

} // namespace

CuptiError::CuptiError(const char* function, CUptiResult result, const char* name)
    : std::runtime_error(fmt::format("{} failed: error {} ({})", function, static_cast<int>(result), name)),
      result_(result) {}

void detail::throw_cupti_error(const char* function, CUptiResult result) {
    const char* name = nullptr;
    result_string(result, &name);
    throw CuptiError(function, result, name != nullptr ? name : "unknown");
}

Expected<const Cupti*, Failure> load() {
    static const Expected<const Cupti*, Failure> loaded = []() -> Expected<const Cupti*, Failure> {
        void* const library = open_library();
        if (library == nullptr)
            return Failure{
                Stage::not_run,
                fmt::format("counters need CUPTI, part of the CUDA toolkit (package cuda-cupti-13-0): none of "
                            "{} can be loaded",
                            fmt::join(places(), ", "))};
        const char* missing = nullptr;
        const auto address = [&](const char* name) {
            void* const found = ::dlsym(library, name);
            if (found == nullptr)
                missing = name;
            return found;
        };
        const auto find = [&]<typename... Arguments>(Function<CUptiResult (*)(Arguments...)>& function,
                                                     const char* name) {
            function.name_ = name;
            function.pointer_ = reinterpret_cast<CUptiResult (*)(Arguments...)>(address(name));
        };
#define CUDABENCH_FIND(name) find(functions.name, #name);
        CUDABENCH_CUPTI_FUNCTIONS(CUDABENCH_FIND)
#undef CUDABENCH_FIND
        result_string = reinterpret_cast<decltype(result_string)>(address("cuptiGetResultString"));
        if (missing != nullptr)
            return Failure{Stage::not_run,
                           fmt::format("counters need CUPTI of CUDA 13: the one here has no {}", missing)};
        return &functions;
    }();
    return loaded;
}

Failure explain(const CuptiError& error) {
    switch (error.result()) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return {Stage::not_run, "the driver lets only administrators use performance counters; load the nvidia module "
                                "with NVreg_RestrictProfilingToAdminUsers=0 (./cudabench doctor says how), or grade as "
                                "root"};
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return {Stage::not_run, "the virtual GPU has no performance counters; its host can allow them"};
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        return {Stage::not_run, fmt::format("another profiler uses the performance counters ({})", error.what())};
    default: return {Stage::not_run, fmt::format("the performance counters cannot be read: {}", error.what())};
    }
}

} // namespace cudabench::counters
