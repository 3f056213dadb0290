#pragma once

#include "recipe/operation.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/// Recipes as the recorder would send them, written by hand.
namespace cudabench::recipe {

template <typename T> std::vector<std::byte> blob(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

/// One block of `block` threads, in the default stream.
template <typename... Arguments>
Launch launch(const std::string& kernel, std::uint32_t block, const Arguments&... arguments) {
    Launch result;
    result.kernel = kernel;
    result.block = {.x = block};
    result.arguments = {blob(arguments)...};
    return result;
}

inline Launch in_stream(StreamId stream, Launch launch) {
    launch.stream = stream;
    return launch;
}

} // namespace cudabench::recipe
