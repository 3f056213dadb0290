#include "device_code/unpack.h"

namespace cudabench::device_code {

void repeat(Unpacked& out, std::size_t distance, std::size_t length, std::size_t size) {
    if (distance == 0 || distance > out.size() || length > size - out.size())
        throw BrokenPack("a repetition of what is not there");
    for (std::size_t from = out.size() - distance; length != 0; --length)
        out.push_back(out[from++]);
}

void append(Unpacked& out, Bytes bytes, std::size_t size) {
    if (bytes.size() > size - out.size())
        throw BrokenPack("more bytes than promised");
    out.insert(out.end(), bytes.begin(), bytes.end());
}

} // namespace cudabench::device_code
