#include "inputs/draw.h"

namespace {

using cudabench::Draw;
using cudabench::Dtype;

template <typename T> __device__ void fill(const Draw& draw, void* destination) {
    const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < draw.elements; i += threads) {
        static_cast<T*>(destination)[i] = cudabench::draw::element<T>(draw, i);
    }
}

} // namespace

extern "C" __global__ void cudabench_generate(const __grid_constant__ Draw draw, void* destination) {
    switch (draw.dtype) {
    case Dtype::float32: return fill<float>(draw, destination);
    case Dtype::float64: return fill<double>(draw, destination);
    case Dtype::int32: return fill<std::int32_t>(draw, destination);
    case Dtype::uint32: return fill<std::uint32_t>(draw, destination);
    case Dtype::int64: return fill<std::int64_t>(draw, destination);
    case Dtype::uint8: return fill<std::uint8_t>(draw, destination);
    }
}
