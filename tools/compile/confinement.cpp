#include "compile/confinement.h"

#include "compile/descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <linux/landlock.h>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace cudabench::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t read_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t read_rights = read_files | LANDLOCK_ACCESS_FS_READ_DIR;
/// All rights of Landlock's first version: whatever is handled and not granted is refused.
constexpr std::uint64_t first_rights = (std::uint64_t{LANDLOCK_ACCESS_FS_MAKE_SYM} << 1) - 1;
/// Landlock's second and third versions; named here because older kernel headers lack them.
constexpr std::uint64_t right_refer = std::uint64_t{1} << 13;
constexpr std::uint64_t right_truncate = std::uint64_t{1} << 14;

int landlock_version() {
    return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

std::uint64_t handled_rights() {
    const int version = landlock_version();
    return first_rights | (version >= 2 ? right_refer : 0) | (version >= 3 ? right_truncate : 0);
}

[[noreturn]] void throw_errno(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void grant(int ruleset, const fs::path& path, std::uint64_t rights, int flags = 0) {
    const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC | flags));
    if (place.number() < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return; // nothing there to grant
        throw_errno(path.string());
    }
    struct stat status {};
    if (fstat(place.number(), &status) != 0)
        throw_errno(path.string());
    if (!S_ISDIR(status.st_mode))
        rights &= read_files | LANDLOCK_ACCESS_FS_WRITE_FILE | right_truncate;
    const landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place.number()};
    if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        throw_errno("Landlock rule for " + path.string());
}

std::optional<fs::path> program_file(const fs::path& program) {
    std::error_code error;
    if (program.has_parent_path()) {
        const fs::path file = fs::canonical(program, error);
        return error ? std::nullopt : std::optional(file);
    }
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path file = fs::canonical(fs::path(folder) / program, error);
        if (!error && access(file.c_str(), X_OK) == 0)
            return file;
    }
    return std::nullopt;
}

/// The installation that a program belongs to: nvcc in /usr/local/cuda/bin needs all of /usr/local/cuda. Those that are
/// spread over the system's own folders are covered by `system_folders`, and / or /usr would grant too much.
void add_installation(const fs::path& program, std::vector<fs::path>& folders) {
    const std::optional<fs::path> file = program_file(program);
    if (!file)
        return;
    const fs::path root = file->parent_path().parent_path();
    if (root != "/" && root != "/usr" && root != "/usr/local")
        folders.push_back(root);
}

const std::vector<fs::path>& system_folders() {
    static const std::vector<fs::path> folders = {
        "/usr/bin",          "/usr/include",       "/usr/lib",       "/usr/lib32", "/usr/lib64",   "/usr/libexec",
        "/usr/local/bin",    "/usr/local/include", "/usr/local/lib", "/bin",       "/lib",         "/lib64",
        "/etc/alternatives", "/etc/ld.so.cache",   "/dev/null",      "/dev/zero",  "/dev/urandom", "/proc/meminfo"};
    return folders;
}

/// The values of `-I dir`, `-Idir`, `-isystem dir`, `-isystem=dir` and the like, one at a time.
std::optional<std::string> option_value(const std::vector<std::string>& words, std::size_t i, std::string_view option) {
    const std::string_view word = words[i];
    if (word == option)
        return i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
    if (!word.starts_with(option))
        return std::nullopt;
    std::string_view rest = word.substr(option.size());
    if (rest.starts_with('='))
        rest.remove_prefix(1);
    return std::string(rest);
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The headers in a folder, and in those below it that hold no source: a folder with sources is other candidates'.
/// Links are not followed.
void add_headers(const fs::path& folder, bool own, int depth, std::vector<fs::path>& headers) {
    static constexpr std::array<std::string_view, 5> suffixes = {".h", ".cuh", ".hpp", ".hh", ".inl"};
    constexpr int deepest = 8;
    constexpr std::size_t most = 10'000;
    std::vector<fs::path> found;
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const fs::file_status status = at->symlink_status(error);
        const fs::path suffix = at->path().extension();
        if (!own && suffix == ".cu")
            return;
        if (fs::is_directory(status))
            folders.push_back(at->path());
        else if (fs::is_regular_file(status) && std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end())
            found.push_back(at->path());
    }
    headers.insert(headers.end(), found.begin(), found.end());
    for (const fs::path& below : folders)
        if (depth < deepest && headers.size() < most)
            add_headers(below, false, depth + 1, headers);
}

/// What a candidate may include of its own folder: the source, the headers beside it and those in folders of headers.
/// Other sources there are other candidates.
std::vector<fs::path> own_files(const fs::path& source) {
    std::vector<fs::path> files = {source};
    add_headers(folder_of(source), true, 0, files);
    return files;
}

} // namespace

Access access_of(const Arguments& arguments, const fs::path& temporary) {
    Access access{system_folders(), {temporary}, own_files(arguments.source)};
    add_installation(arguments.command.front(), access.readable);
    const std::vector<std::string>& words = arguments.command;
    for (std::size_t i = 1; i < words.size(); ++i) {
        for (const char* option : {"-I", "-isystem", "--include-path", "--system-include", "-iquote"})
            if (const auto folder = option_value(words, i, option); folder && *folder != arguments.source_folder)
                access.readable.emplace_back(*folder);
        for (const char* option : {"-ccbin", "--compiler-bindir"})
            if (const auto compiler = option_value(words, i, option))
                add_installation(*compiler, access.readable);
        if (const auto output = words[i] == "-o" ? option_value(words, i, "-o") : std::nullopt)
            access.writable.push_back(folder_of(*output));
        if (words[i] == arguments.source_folder)
            continue;
        if (!words[i].starts_with('-'))
            access.readable.emplace_back(words[i]); // an input file, or an option's value, which is no file
        else if (words[i].starts_with("-L") && arguments.link)
            access.readable.emplace_back(words[i].substr(2));
    }
    return access;
}

bool confinement_available() {
    return landlock_version() >= 1;
}

void confine(const Access& access) {
    const std::uint64_t handled = handled_rights();
    landlock_ruleset_attr attributes{}; // newer headers have members that older ones lack
    attributes.handled_access_fs = handled;
    const Descriptor ruleset(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
    if (ruleset.number() < 0)
        throw_errno("Landlock");
    for (const fs::path& path : access.readable)
        grant(ruleset.number(), path, read_rights);
    for (const fs::path& path : access.own)
        grant(ruleset.number(), path, read_files, O_NOFOLLOW);
    for (const fs::path& path : access.writable)
        grant(ruleset.number(), path, handled);
    grant(ruleset.number(), "/dev/null", (read_files | LANDLOCK_ACCESS_FS_WRITE_FILE | right_truncate) & handled);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        throw_errno("no_new_privs");
    if (syscall(SYS_landlock_restrict_self, ruleset.number(), 0) != 0)
        throw_errno("Landlock");
}

} // namespace cudabench::compile
