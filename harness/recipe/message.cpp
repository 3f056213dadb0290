#include "recipe/message.h"

#include "recipe/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace cudabench::recipe {

namespace {

Failure broken(const char* what) {
    return {Stage::contract, std::string("broken message: ") + what};
}

void write_device(ByteWriter& out, const device::Description& device) {
    out.text(device.name);
    out.text(device.uuid);
    out.u64(device.memory_bytes);
    out.u32(std::bit_cast<std::uint32_t>(device.driver_version));
    for (const std::int32_t value : device.attributes)
        out.u32(std::bit_cast<std::uint32_t>(value));
}

device::Description read_device(ByteReader& in) {
    device::Description device;
    device.name = in.text();
    device.uuid = in.text();
    device.memory_bytes = in.u64();
    device.driver_version = std::bit_cast<std::int32_t>(in.u32());
    for (std::int32_t& value : device.attributes)
        value = std::bit_cast<std::int32_t>(in.u32());
    return device;
}

void write_call(ByteWriter& out, const Call& call) {
    out.text(call.function);
    out.u64(call.buffers.size());
    for (const Buffer& buffer : call.buffers) {
        out.u64(buffer.address);
        out.u64(buffer.bytes);
        out.u8(buffer.writable ? 1 : 0);
    }
    out.u64(call.dims.size());
    for (const std::int64_t dim : call.dims)
        out.u64(std::bit_cast<std::uint64_t>(dim));
    out.u64(call.params.size());
    for (const double param : call.params)
        out.f64(param);
}

Call read_call(ByteReader& in) {
    constexpr std::uint64_t buffer_bytes = 17;
    Call call;
    call.function = in.text();
    call.buffers.resize(in.count(buffer_bytes));
    for (Buffer& buffer : call.buffers) {
        buffer.address = in.u64();
        buffer.bytes = in.u64();
        buffer.writable = in.boolean();
    }
    call.dims.resize(in.count(sizeof(std::int64_t)));
    for (std::int64_t& dim : call.dims)
        dim = std::bit_cast<std::int64_t>(in.u64());
    call.params.resize(in.count(sizeof(double)));
    for (double& param : call.params)
        param = in.f64();
    return call;
}

struct Header {
    std::uint32_t kind;
    std::uint32_t length;
};

Expected<Header, Failure> decode_header(std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    const Header header{in.u32(), in.u32()};
    if (header.kind < static_cast<std::uint32_t>(FrameKind::hello) ||
        header.kind > static_cast<std::uint32_t>(FrameKind::done))
        return broken("unknown kind of frame");
    if (header.length > max_frame_bytes)
        return broken("frame too long");
    return header;
}

Expected<Done, Failure> read_all(int socket, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::read(socket, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Failure{Stage::fault, "the other side of the recorder's socket is gone"};
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return Done{};
}

} // namespace

std::vector<std::byte> encode(const Hello& hello) {
    ByteWriter out;
    write_device(out, hello.device);
    for (const std::uint64_t value :
         {hello.workspace.base, hello.workspace.bytes, hello.workspace.span, hello.workspace.granularity,
          hello.free_memory, hello.limits.operations, hello.limits.bytes, hello.limits.allocations,
          hello.limits.streams, hello.limits.events})
        out.u64(value);
    write_call(out, hello.call);
    return out.take();
}

Expected<Hello, Failure> decode_hello(std::span<const std::byte> payload) {
    ByteReader in(payload);
    Hello hello;
    hello.device = read_device(in);
    for (std::uint64_t* value :
         {&hello.workspace.base, &hello.workspace.bytes, &hello.workspace.span, &hello.workspace.granularity,
          &hello.free_memory, &hello.limits.operations, &hello.limits.bytes, &hello.limits.allocations,
          &hello.limits.streams, &hello.limits.events})
        *value = in.u64();
    hello.call = read_call(in);
    if (!in.complete() || !std::has_single_bit(hello.workspace.granularity))
        return broken("hello");
    return hello;
}

std::vector<std::byte> encode(const Answer& answer) {
    ByteWriter out;
    out.u32(std::bit_cast<std::uint32_t>(answer.error));
    out.blob(answer.bytes);
    return out.take();
}

Expected<Answer, Failure> decode_answer(std::span<const std::byte> payload) {
    ByteReader in(payload);
    Answer answer;
    answer.error = std::bit_cast<std::int32_t>(in.u32());
    answer.bytes = in.blob();
    if (!in.complete())
        return broken("answer");
    return answer;
}

std::vector<std::byte> encode_text(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::string decode_text(std::span<const std::byte> payload) {
    constexpr std::size_t longest = 1000;
    std::string text;
    for (const std::byte byte : payload.first(std::min(payload.size(), longest))) {
        const char c = static_cast<char>(byte);
        text += c >= ' ' && c <= '~' ? c : '?';
    }
    return text;
}

std::vector<std::byte> encode_frame(FrameKind kind, std::span<const std::byte> payload) {
    if (payload.size() > max_frame_bytes)
        throw std::length_error("frame too long");
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(kind));
    out.u32(static_cast<std::uint32_t>(payload.size()));
    std::vector<std::byte> frame = out.take();
    frame.insert(frame.end(), payload.begin(), payload.end());
    return frame;
}

void FrameBuffer::append(std::span<const std::byte> bytes) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(start_));
    start_ = 0;
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

Expected<std::optional<Frame>, Failure> FrameBuffer::next() {
    const auto rest = std::span<const std::byte>(bytes_).subspan(start_);
    if (rest.size() < frame_header_bytes)
        return std::optional<Frame>();
    const auto header = decode_header(rest.first(frame_header_bytes));
    if (!header)
        return header.error();
    if (rest.size() - frame_header_bytes < header->length)
        return std::optional<Frame>();
    const auto payload = rest.subspan(frame_header_bytes, header->length);
    start_ += frame_header_bytes + header->length;
    return std::optional<Frame>(Frame{static_cast<FrameKind>(header->kind), {payload.begin(), payload.end()}});
}

Expected<Done, Failure> write_all(int socket, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(socket, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return Failure{Stage::fault, std::string("cannot write to the recorder's socket: ") + std::strerror(errno)};
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return Done{};
}

Expected<Frame, Failure> read_frame(int socket) {
    std::array<std::byte, frame_header_bytes> bytes{};
    if (const auto got = read_all(socket, bytes); !got)
        return got.error();
    const auto header = decode_header(bytes);
    if (!header)
        return header.error();
    Frame frame{static_cast<FrameKind>(header->kind), std::vector<std::byte>(header->length)};
    if (const auto got = read_all(socket, frame.payload); !got)
        return got.error();
    return frame;
}

} // namespace cudabench::recipe
