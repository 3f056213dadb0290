#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace cudabench::device_code {

/// The shared object of kernels.cu that the build has made, and its compiler's log beside it (.log).
inline std::string sample(const std::string& name) {
    return std::string(CUDABENCH_TEST_SAMPLES) + "/" + name;
}

inline std::vector<std::byte> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

} // namespace cudabench::device_code
