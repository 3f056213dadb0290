#include "executor/gpu/tensor_map.h"

#include <cstring>

namespace cudabench::gpu {

std::vector<std::byte> encode_tensor_map(const driver::Driver& driver, const recipe::TensorMap& wanted) {
    CUtensorMap map{};
    static_assert(sizeof(map) == recipe::TensorMap::bytes);
    driver.cuTensorMapEncodeTiled(
        &map, static_cast<CUtensorMapDataType>(wanted.data_type), wanted.rank,
        reinterpret_cast<void*>(wanted.address), // NOLINT(performance-no-int-to-ptr): the device's
        wanted.sizes.data(), wanted.strides.data(), wanted.box.data(), wanted.element_strides.data(),
        static_cast<CUtensorMapInterleave>(wanted.interleave), static_cast<CUtensorMapSwizzle>(wanted.swizzle),
        static_cast<CUtensorMapL2promotion>(wanted.l2_promotion), static_cast<CUtensorMapFloatOOBfill>(wanted.fill));
    std::vector<std::byte> bytes(sizeof(map));
    std::memcpy(bytes.data(), &map, sizeof(map));
    return bytes;
}

} // namespace cudabench::gpu
