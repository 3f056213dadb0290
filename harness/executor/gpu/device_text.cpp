#include "executor/gpu/device_text.h"

#include "outcome/harmless_text.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace cudabench::gpu {
namespace {

int check(int result) {
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), "cannot capture what device code prints");
    return result;
}

void flush() {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(stdout);
    std::fflush(stderr);
}

/// A file in memory that cannot grow beyond `bytes`: writing more fails.
int capped_file(std::size_t bytes) {
    const int file = check(::memfd_create("device text", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    check(::ftruncate(file, static_cast<off_t>(bytes)));
    check(::fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK));
    return file;
}

/// What a stream could not write must not come out later, where it could forge.
void drop_unwritten(std::FILE* stream) {
    std::fflush(stream);
    ::__fpurge(stream);
    std::clearerr(stream);
}

} // namespace

DeviceText::DeviceText()
    : buffer_(capped_file(capacity)), output_(check(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))),
      errors_(check(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3))) {
    flush();
    check(::dup2(buffer_, STDOUT_FILENO));
    check(::dup2(buffer_, STDERR_FILENO));
}

DeviceText::~DeviceText() {
    drop_unwritten(stdout);
    drop_unwritten(stderr);
    ::dup2(output_, STDOUT_FILENO);
    ::dup2(errors_, STDERR_FILENO);
    ::close(output_);
    ::close(errors_);
    ::close(buffer_);
}

std::string DeviceText::text() const {
    std::fflush(stdout);
    std::string text(shown, '\0');
    const off_t written = ::lseek(buffer_, 0, SEEK_CUR); // shared with the descriptors that the driver writes to
    const ssize_t length = ::pread(buffer_, text.data(), std::min(text.size(), static_cast<std::size_t>(written)), 0);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return harmless_text(std::move(text));
}

} // namespace cudabench::gpu
