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

bool Recipe::host_dependent() const {
    return std::any_of(operations.begin(), operations.end(),
                       [](const Operation& operation) { return std::holds_alternative<CopyToHost>(operation); });
}

} // namespace cudabench::recipe
