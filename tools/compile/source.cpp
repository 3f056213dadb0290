#include "compile/source.h"

#include "compile/descriptor.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cudabench::compile {
namespace {

constexpr std::size_t largest = std::size_t{16} << 20;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw std::runtime_error("cannot read " + path.string() + ": " + why);
}

std::string error_text() {
    return std::generic_category().message(errno);
}

} // namespace

std::string source_bytes(const std::filesystem::path& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (file.number() < 0 || fstat(file.number(), &status) != 0)
        refuse(path, error_text());
    if (!S_ISREG(status.st_mode))
        refuse(path, "is no regular file");
    std::string bytes;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = read(file.number(), buffer.data(), buffer.size());
        if (count < 0)
            refuse(path, error_text());
        if (count == 0)
            return bytes;
        bytes.append(buffer.data(), static_cast<std::size_t>(count));
        if (bytes.size() > largest)
            refuse(path, "is larger than " + std::to_string(largest) + " bytes");
    }
}

} // namespace cudabench::compile
