#include "device_code/tensor_cores.h"

#include <algorithm>

namespace cudabench::device_code {
namespace {

bool says_all(const FatBinary& binary) {
    return std::ranges::all_of(binary.kernels, [&](const Kernel& kernel) {
        return std::ranges::find(binary.ptx, kernel.architecture, &FatBinary::Ptx::architecture) != binary.ptx.end();
    });
}

/// mma, wmma, wgmma, tcgen05.mma. Names that contain it do no harm.
bool names_them(const FatBinary::Ptx& ptx) {
    return ptx.text.find("mma") != std::string::npos;
}

} // namespace

bool may_use_tensor_cores(std::span<const FatBinary> code) {
    return std::ranges::any_of(
        code, [](const FatBinary& binary) { return !says_all(binary) || std::ranges::any_of(binary.ptx, names_them); });
}

} // namespace cudabench::device_code
