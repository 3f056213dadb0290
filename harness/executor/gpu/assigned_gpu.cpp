#include "executor/gpu/assigned_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace cudabench::gpu {

std::optional<std::string> assigned_id() {
    constexpr std::string_view start = "id:";
    const char* assigned = std::getenv("CTEST_RESOURCE_GROUP_0_GPUS");
    if (assigned == nullptr || !std::string_view(assigned).starts_with(start))
        return std::nullopt;
    const std::string_view rest = std::string_view(assigned).substr(start.size());
    return std::string(rest.substr(0, rest.find(',')));
}

std::string resource_id(const std::string& uuid) {
    std::string id;
    for (const char c : uuid)
        id += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return id;
}

Expected<std::size_t, Failure> choose_gpu(const std::optional<std::string>& id, std::span<const std::string> uuids) {
    if (!id)
        return std::size_t{0};
    for (std::size_t i = 0; i < uuids.size(); ++i)
        if (*id == std::to_string(i) || *id == resource_id(uuids[i]))
            return i;
    return Failure{Stage::fault,
                   fmt::format("CTest's resource specification assigns the GPU {}, but {} visible here; "
                               "write one for this machine: ./cudabench doctor --resource-spec FILE",
                               *id, uuids.size() == 1 ? "only 1 is" : fmt::format("{} are", uuids.size()))};
}

} // namespace cudabench::gpu
