#include "outcome/out_of_memory.h"

#include <fstream>
#include <optional>
#include <string>

namespace cudabench {
namespace {

/// Lines of names and numbers.
std::optional<std::uint64_t> count_in(const std::string& file) {
    std::ifstream counters(file);
    std::string name;
    for (std::uint64_t count = 0; counters >> name >> count;)
        if (name == "oom_kill")
            return count;
    return std::nullopt;
}

/// Of this process's control group, if it can be seen: a line is `<number>:<controllers>:<path>`, without controllers
/// in the second version.
std::optional<std::uint64_t> count_of_group() {
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const auto controllers = line.find(':') + 1;
        const auto path = line.find(':', controllers) + 1;
        const std::string which = line.substr(controllers, path - controllers - 1);
        std::optional<std::uint64_t> count;
        if (which.empty())
            count = count_in("/sys/fs/cgroup" + line.substr(path) + "/memory.events");
        else if (which == "memory")
            count = count_in("/sys/fs/cgroup/memory" + line.substr(path) + "/memory.oom_control");
        if (count)
            return count;
    }
    return std::nullopt;
}

} // namespace

std::uint64_t ended_for_memory() {
    const auto of_group = count_of_group();
    return of_group ? *of_group : count_in("/proc/vmstat").value_or(0);
}

} // namespace cudabench
