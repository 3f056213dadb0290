#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cudabench::measure {

/// In what state a GPU is, as NVIDIA's management library tells.
struct GpuState {
    double sm_hz = 0;
    double memory_hz = 0;
    int temperature = 0; ///< degrees Celsius
    double power_watts = 0;
    std::vector<std::string> clocks_limited; ///< by what, now: "power", "temperature", "hardware" ...; empty: nothing
};

/// Of the GPU with this UUID. None where the library (libnvidia-ml.so.1, part of the driver) is missing or does not
/// know the GPU; a value that it does not tell is 0.
[[nodiscard]] std::optional<GpuState> gpu_state(const std::string& uuid);

} // namespace cudabench::measure
