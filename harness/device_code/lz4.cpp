#include "device_code/unpack.h"

namespace cudabench::device_code {
namespace {

constexpr std::size_t least_match = 4;

class Reader {
public:
    explicit Reader(Bytes bytes) : bytes_(bytes) {}

    std::size_t byte() { return static_cast<std::size_t>(take(1).front()); }
    Bytes take(std::size_t count) {
        if (count > bytes_.size())
            throw BrokenPack("LZ4 ends too early");
        const Bytes taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    /// A length of 4 bits, and the bytes that follow if they are all set.
    std::size_t length(std::size_t nibble) {
        std::size_t length = nibble;
        for (std::size_t more = nibble == 15 ? 255 : 0; more == 255;) {
            more = byte();
            length += more;
        }
        return length;
    }

private:
    Bytes bytes_;
};

} // namespace

Unpacked unpack_lz4(Bytes block, std::size_t size) {
    Unpacked out;
    Reader in(block);
    while (true) {
        const std::size_t token = in.byte();
        append(out, in.take(in.length(token >> 4)), size);
        if (out.size() == size) // a block ends with literals
            return out;
        const std::size_t low = in.byte();
        const std::size_t distance = low | in.byte() << 8;
        repeat(out, distance, in.length(token & 15) + least_match, size);
    }
}

} // namespace cudabench::device_code
