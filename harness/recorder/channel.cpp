#include "recorder/channel.h"

#include <array>
#include <fcntl.h>
#include <sys/socket.h>

namespace cudabench::recorder {

namespace {

Descriptor moved_up(int descriptor) {
    constexpr int above_those_of_the_child = 10;
    const Descriptor low(descriptor);
    return Descriptor(fcntl(low.get(), F_DUPFD_CLOEXEC, above_those_of_the_child));
}

Channel channel(const std::array<int, 2>& ends) {
    Channel made{moved_up(ends[0]), moved_up(ends[1])};
    if (made)
        fcntl(made.ours.get(), F_SETFL, O_NONBLOCK);
    return made;
}

} // namespace

Channel pipe_from_child() {
    std::array<int, 2> ends{};
    return pipe2(ends.data(), O_CLOEXEC) == 0 ? channel(ends) : Channel{};
}

Channel stream_socket() {
    std::array<int, 2> ends{};
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 ? channel(ends) : Channel{};
}

} // namespace cudabench::recorder
