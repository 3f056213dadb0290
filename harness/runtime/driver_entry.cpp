#include "runtime/recording.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

/// The driver's functions that can be had. Host code has no driver: only what the recording can answer is given out.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

/// The one function of the driver that host code may also link by its name; the executor encodes.
__attribute__((visibility("default"))) CUresult
cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                       const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                       const cuuint32_t* element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapL2promotion l2_promotion, CUtensorMapFloatOOBfill fill) {
    if (!map || rank == 0 || rank > recipe::TensorMap::most_dimensions || !sizes || !box || !element_strides ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(recording_lock());
    recipe::TensorMap question{.data_type = static_cast<std::uint32_t>(type),
                               .rank = rank,
                               .address = std::bit_cast<recipe::Address>(address),
                               .interleave = static_cast<std::uint32_t>(interleave),
                               .swizzle = static_cast<std::uint32_t>(swizzle),
                               .l2_promotion = static_cast<std::uint32_t>(l2_promotion),
                               .fill = static_cast<std::uint32_t>(fill)};
    std::copy_n(sizes, rank, question.sizes.begin());
    std::copy_n(strides, rank - 1, question.strides.begin());
    std::copy_n(box, rank, question.box.begin());
    std::copy_n(element_strides, rank, question.element_strides.begin());
    const auto answer = recording().link.ask(question);
    if (answer.error != 0 || answer.bytes.size() != sizeof(*map))
        return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(map, answer.bytes.data(), sizeof(*map));
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
    return answer([&](Recording& r) {
        if (!name || !function)
            return cudaErrorInvalidValue;
        if (std::strcmp(name, "cuTensorMapEncodeTiled") != 0)
            r.link.unsupported("cudaGetDriverEntryPoint of " + std::string(name));
        *function = reinterpret_cast<void*>(&cuTensorMapEncodeTiled);
        if (result)
            *result = cudaDriverEntryPointSuccess;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}
