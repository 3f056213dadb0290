#include "inputs/generate.h"

#include "inputs/with_type.h"

#include <cstring>
#include <stdexcept>

namespace cudabench {

void generate_on_host(const Draw& draw, std::span<std::byte> destination) {
    with_type(draw.dtype, [&](auto zero) {
        using T = decltype(zero);
        if (destination.size() != draw.elements * sizeof(T)) {
            throw std::invalid_argument("generate: the destination has not the size of the input");
        }
        for (std::uint64_t index = 0; index < draw.elements; ++index) {
            const T value = draw::element<T>(draw, index);
            std::memcpy(&destination[index * sizeof(T)], &value, sizeof(T));
        }
    });
}

} // namespace cudabench
