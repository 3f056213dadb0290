#include "recorder/confined/confinement.h"

#include "recorder/confined/landlock.h"
#include "recorder/confined/sanitizer.h"
#include "recorder/confined/system_call_filter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cudabench::recorder {

namespace {

constexpr rlim_t gibibyte = rlim_t{1} << 30;

void limit(__rlimit_resource resource, rlim_t most) {
    rlimit now{};
    getrlimit(resource, &now);
    const rlim_t value = std::min(now.rlim_max, most);
    const rlimit lower{value, value};
    setrlimit(resource, &lower);
}

void limit_resources() {
    if (!sanitized)
        limit(RLIMIT_AS, 16 * gibibyte);
    limit(RLIMIT_STACK, 8 << 20);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 64);
    limit(RLIMIT_MEMLOCK, 0);
}

/// Takes less than a millisecond. What it hides is out of reach without it too, so a system that refuses is fine. Only
/// who may not do without gets a user namespace: in one, root could not read a candidate that lies in another's folder.
void leave_network() {
    constexpr int namespaces = CLONE_NEWNET | CLONE_NEWIPC;
    if (unshare(namespaces) != 0)
        unshare(CLONE_NEWUSER | namespaces);
}

/// Capabilities would let a grader that runs as root raise the limits again. Only the right to read files stays,
/// which Landlock narrows: a candidate may lie in a folder that root may read for no other reason. Where root has that
/// right only together with the one to write, as in many containers, no file can be opened to be written all the same.
void drop_capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (syscall(SYS_capget, &header, data.data()) != 0)
        return;
    constexpr unsigned reads = 1U << CAP_DAC_READ_SEARCH;
    const unsigned kept = (data[0].permitted & reads) != 0 ? reads : 1U << CAP_DAC_OVERRIDE;
    data[0] = {data[0].effective & kept, data[0].permitted & kept, 0};
    data[1] = {};
    syscall(SYS_capset, &header, data.data());
}

} // namespace

std::optional<std::string> confine(const std::filesystem::path& module) {
    limit_resources();
    leave_network();
    drop_capabilities();
    // Both are reset by a change of credentials.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return std::string("no_new_privs: ") + std::strerror(errno);
    const auto no_landlock = restrict_files(module);
    const auto no_filter = filter_system_calls();
    return no_landlock ? no_landlock : no_filter;
}

} // namespace cudabench::recorder
