#include "case/task.h"

#include <stdexcept>

namespace cudabench {

std::uint64_t size_in_bytes(Dtype dtype) {
    switch (dtype) {
    case Dtype::float64:
    case Dtype::int64: return 8;
    case Dtype::float32:
    case Dtype::int32:
    case Dtype::uint32: return 4;
    case Dtype::uint8: return 1;
    }
    throw std::logic_error("unknown dtype");
}

} // namespace cudabench
