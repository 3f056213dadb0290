#include "measure/gpu_state.h"

#include <array>
#include <dlfcn.h>
#include <memory>
#include <string_view>
#include <utility>

namespace cudabench::measure {
namespace {

// The toolkit has nvml.h only with one of its optional packages; this is the part of that stable interface used here.
using Handle = struct nvmlDevice_st*;
constexpr int success = 0;
constexpr unsigned clock_sm = 1;
constexpr unsigned clock_memory = 2;
constexpr unsigned sensor_gpu = 0;

/// nvmlClocksEventReasons: bits and what they mean. That a GPU idles, or runs at the clocks it was set to, limits
/// nothing.
constexpr std::array<std::pair<unsigned long long, std::string_view>, 6> reasons{{
    {0x04, "power"},
    {0x08, "hardware"},
    {0x10, "synchronised boost"},
    {0x20, "temperature"},
    {0x40, "temperature (hardware)"},
    {0x80, "power brake"},
}};

struct Close {
    void operator()(void* library) const { ::dlclose(library); }
};

/// The library, initialised while this lives.
class Nvml {
public:
    Nvml() : library_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        ready_ = library_ != nullptr && call<int()>("nvmlInit_v2") == success;
    }
    ~Nvml() {
        if (ready_)
            call<int()>("nvmlShutdown");
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    [[nodiscard]] bool ready() const noexcept { return ready_; }

    /// The answer of the function, or -1 if this version has none.
    template <typename Signature, typename... Arguments> int call(const char* name, Arguments... arguments) const {
        auto* const function = reinterpret_cast<Signature*>(::dlsym(library_.get(), name));
        return function != nullptr ? function(arguments...) : -1;
    }

private:
    std::unique_ptr<void, Close> library_;
    bool ready_ = false;
};

double hertz(const Nvml& nvml, Handle device, unsigned clock) {
    unsigned megahertz = 0;
    const int answer = nvml.call<int(Handle, unsigned, unsigned*)>("nvmlDeviceGetClockInfo", device, clock, &megahertz);
    return answer == success ? 1e6 * megahertz : 0;
}

std::vector<std::string> limits(const Nvml& nvml, Handle device) {
    using Signature = int(Handle, unsigned long long*);
    unsigned long long bits = 0;
    if (nvml.call<Signature>("nvmlDeviceGetCurrentClocksEventReasons", device, &bits) != success &&
        nvml.call<Signature>("nvmlDeviceGetCurrentClocksThrottleReasons", device, &bits) != success)
        return {};
    std::vector<std::string> names;
    for (const auto& [bit, name] : reasons)
        if ((bits & bit) != 0)
            names.emplace_back(name);
    return names;
}

} // namespace

std::optional<GpuState> gpu_state(const std::string& uuid) {
    const Nvml nvml;
    Handle device = nullptr;
    if (!nvml.ready() ||
        nvml.call<int(const char*, Handle*)>("nvmlDeviceGetHandleByUUID", uuid.c_str(), &device) != success)
        return std::nullopt;
    GpuState state;
    state.sm_hz = hertz(nvml, device, clock_sm);
    state.memory_hz = hertz(nvml, device, clock_memory);
    state.clocks_limited = limits(nvml, device);
    unsigned value = 0;
    if (nvml.call<int(Handle, unsigned, unsigned*)>("nvmlDeviceGetTemperature", device, sensor_gpu, &value) == success)
        state.temperature = static_cast<int>(value);
    if (nvml.call<int(Handle, unsigned*)>("nvmlDeviceGetPowerUsage", device, &value) == success)
        state.power_watts = 1e-3 * value;
    return state;
}

} // namespace cudabench::measure
