#include "recorder/confined/landlock.h"

#include "recorder/confined/sanitizer.h"
#include "recorder/descriptor.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace cudabench::recorder {

namespace {

// The kernel's interface, of which an older header knows only the beginning.
struct RulesetAttributes {
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scoped;
};

/// Every right that the kernel can take away, by version of its interface.
RulesetAttributes everything(long version) {
    constexpr std::array<int, 6> file_rights_by_version = {0, 13, 14, 15, 15, 16};
    const auto known = static_cast<std::size_t>(version < 5 ? version : 5);
    RulesetAttributes all{};
    all.files = (std::uint64_t{1} << file_rights_by_version.at(known)) - 1;
    all.network = version >= 4 ? 3 : 0; // bind, connect
    all.scoped = version >= 6 ? 3 : 0;  // abstract Unix sockets, signals
    return all;
}

std::string failed(const char* what) {
    return std::string("Landlock (") + what + "): " + std::strerror(errno);
}

/// Lets `path`, and all below it, be read. A path that does not exist is no failure: systems differ.
bool allow_reading(const Descriptor& ruleset, const char* path) {
    const Descriptor file(open(path, O_PATH | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0)
        return errno == ENOENT;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | (S_ISDIR(status.st_mode) ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
    rule.parent_fd = file.get();
    return syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

} // namespace

std::optional<std::string> restrict_files(const std::filesystem::path& module) {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return failed("version");
    const RulesetAttributes attributes = everything(version);
    // An older kernel takes the longer structure as long as what it does not know is zero.
    const Descriptor ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
    if (!ruleset)
        return failed("ruleset");
    for (const char* path : {module.c_str(), "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"})
        if (!allow_reading(ruleset, path))
            return failed(path);
    if (sanitized && !allow_reading(ruleset, "/proc/self/maps"))
        return failed("/proc/self/maps");
    if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return failed("restrict");
    return std::nullopt;
}

} // namespace cudabench::recorder
