#include "recipe/operation.h"

#include <cuda.h>

#include <algorithm>

namespace cudabench::recipe {

std::uint64_t texel_bytes(Texel texel) {
    if (texel.channels != 1 && texel.channels != 2 && texel.channels != 4)
        return 0;
    switch (texel.format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return texel.channels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return std::uint64_t{2} * texel.channels;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return std::uint64_t{4} * texel.channels;
    default: return 0;
    }
}

bool arguments_possible(const std::vector<std::vector<std::byte>>& arguments) {
    std::size_t bytes = 0;
    for (const auto& argument : arguments)
        bytes += argument.size();
    return arguments.size() <= max_arguments && bytes <= max_argument_bytes &&
           std::none_of(arguments.begin(), arguments.end(), [](const auto& argument) { return argument.empty(); });
}

bool Recipe::host_dependent() const {
    return std::any_of(operations.begin(), operations.end(),
                       [](const Operation& operation) { return std::holds_alternative<CopyToHost>(operation); });
}

} // namespace cudabench::recipe
