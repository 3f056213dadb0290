#include "device_code/read_file.h"

#include <fstream>

namespace cudabench::device_code {

Expected<std::vector<std::byte>, Failure> read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    std::vector<std::byte> bytes;
    if (in) {
        bytes.resize(static_cast<std::size_t>(in.tellg()));
        in.seekg(0);
        in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    if (!in)
        return Failure{Stage::fault, "cannot read " + path.string()};
    return bytes;
}

} // namespace cudabench::device_code
