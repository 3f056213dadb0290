#include "runtime/texel.h"

#include <cuda.h>

#include <array>

namespace cudabench::runtime {

std::optional<recipe::Texel> texel_of(const cudaChannelFormatDesc& d) {
    const std::array<int, 4> bits = {d.x, d.y, d.z, d.w};
    std::uint32_t channels = 0;
    for (const int channel : bits)
        channels += channel != 0 ? 1 : 0;
    const auto format = [&]() -> std::optional<CUarray_format> {
        switch (d.f) {
        case cudaChannelFormatKindUnsigned:
            return d.x == 8    ? std::optional(CU_AD_FORMAT_UNSIGNED_INT8)
                   : d.x == 16 ? std::optional(CU_AD_FORMAT_UNSIGNED_INT16)
                   : d.x == 32 ? std::optional(CU_AD_FORMAT_UNSIGNED_INT32)
                               : std::nullopt;
        case cudaChannelFormatKindSigned:
            return d.x == 8    ? std::optional(CU_AD_FORMAT_SIGNED_INT8)
                   : d.x == 16 ? std::optional(CU_AD_FORMAT_SIGNED_INT16)
                   : d.x == 32 ? std::optional(CU_AD_FORMAT_SIGNED_INT32)
                               : std::nullopt;
        case cudaChannelFormatKindFloat:
            return d.x == 16   ? std::optional(CU_AD_FORMAT_HALF)
                   : d.x == 32 ? std::optional(CU_AD_FORMAT_FLOAT)
                               : std::nullopt;
        default: return std::nullopt;
        }
    }();
    for (std::uint32_t i = 0; i < channels; ++i)
        if (bits[i] != d.x)
            return std::nullopt;
    if (!format || channels == 3)
        return std::nullopt;
    return recipe::Texel{static_cast<std::uint32_t>(*format), channels};
}

} // namespace cudabench::runtime
