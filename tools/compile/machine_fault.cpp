#include "compile/machine_fault.h"

#include "compile/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace cudabench::compile {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t needed = 256 * mebibyte; ///< what a compilation may write
constexpr off_t reserved = 64 * mebibyte;        ///< of a quota, of which no count of free space knows

std::string error_text(int error) {
    return std::generic_category().message(error);
}

bool says_full(const std::string& output) {
    return output.find(error_text(ENOSPC)) != std::string::npos || output.find(error_text(EDQUOT)) != std::string::npos;
}

/// Finds out what a quota leaves. An error number; 0 if there is room.
int reserve(const std::filesystem::path& folder) {
    std::string name = (folder / "cudabench-room-XXXXXX").string();
    const Descriptor file(mkostemp(name.data(), O_CLOEXEC));
    if (file.number() < 0)
        return errno;
    unlink(name.c_str());
    return posix_fallocate(file.number(), 0, reserved);
}

std::string lack_in(const std::filesystem::path& folder) {
    const std::string place = folder.string();
    if (access(place.c_str(), W_OK | X_OK) != 0)
        return place + ": cannot be written to: " + error_text(errno);
    struct statvfs status {};
    if (statvfs(place.c_str(), &status) != 0)
        return place + ": " + error_text(errno);
    const std::uint64_t blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail;
    const std::uint64_t free = blocks * status.f_frsize;
    if (free < needed)
        return place + ": the disk is full (" + std::to_string(free / mebibyte) + " MiB free); make room and try again";
    if (status.f_files > 0 && status.f_ffree == 0)
        return place + ": the disk has no room for more files; remove some and try again";
    return {};
}

std::string lack_of_quota(const std::filesystem::path& folder) {
    if (const int error = reserve(folder); error == ENOSPC || error == EDQUOT)
        return folder.string() + ": " + error_text(error) + "; make room and try again";
    return {};
}

/// The first that `ask` has to say of one of the folders that are there.
template <typename Ask> std::string of_any(const std::vector<std::filesystem::path>& folders, Ask ask) {
    std::error_code ignored;
    for (const std::filesystem::path& folder : folders)
        if (std::string said = std::filesystem::exists(folder, ignored) ? ask(folder) : std::string(); !said.empty())
            return said;
    return {};
}

std::string lack_of_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max >= needed)
        return {};
    return "files may have " + std::to_string(limit.rlim_max) + " bytes at most (ulimit -H -f); compilers need " +
           std::to_string(needed);
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

} // namespace

std::vector<std::filesystem::path> written_folders(const Arguments& arguments, const std::filesystem::path& temporary) {
    std::vector<std::filesystem::path> folders = {temporary, folder_of(arguments.record)};
    const auto option = std::find(arguments.command.begin(), arguments.command.end(), "-o");
    if (option != arguments.command.end() && option + 1 != arguments.command.end())
        folders.push_back(folder_of(*(option + 1)));
    return folders;
}

std::string lack_of_room(const std::vector<std::filesystem::path>& folders) {
    return of_any(folders, lack_in);
}

std::string machine_fault(const Finished& finished, const std::string& lack,
                          const std::vector<std::filesystem::path>& folders) {
    if (finished.how == Finished::How::not_started)
        return finished.output;
    const bool failed = finished.how == Finished::How::killed || finished.code != 0;
    if (!failed || finished.how == Finished::How::deadline)
        return {};
    if (!lack.empty())
        return lack;
    if (finished.memory_lacked)
        return "the machine's memory ran out, and the kernel ended processes; start fewer at once and try again";
    if (says_full(finished.output))
        if (std::string quota = of_any(folders, lack_of_quota); !quota.empty())
            return quota;
    return lack_of_limit();
}

} // namespace cudabench::compile
