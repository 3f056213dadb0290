#include "executor/cpu/code.h"

#include <algorithm>
#include <cstring>

namespace cudabench::cpu {

AlignedBytes::AlignedBytes(std::size_t bytes)
    : bytes_(new (std::align_val_t{alignment}) std::byte[std::max<std::size_t>(bytes, 1)]{}), size_(bytes) {}

void AlignedBytes::grow(std::size_t bytes) {
    if (bytes <= size_)
        return;
    AlignedBytes larger(bytes);
    if (size_ != 0)
        std::memcpy(larger.data(), data(), size_);
    *this = std::move(larger);
}

} // namespace cudabench::cpu
