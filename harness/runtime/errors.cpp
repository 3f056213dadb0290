#include "runtime/recording.h"

#include <algorithm>
#include <iterator>
#include <utility>

/// The last error, and the names and texts of all.

using namespace cudabench::runtime;

namespace {

struct ErrorText {
    int code;
    const char* name;
    const char* text;
};

constexpr ErrorText error_texts[] = {
#include "error_texts.inc" // as the CUDA runtime of the toolkit words them
};

const ErrorText& describe(cudaError_t error) {
    static constexpr ErrorText unknown{-1, "unrecognized error code", "unrecognized error code"};
    const auto* found = std::find_if(std::begin(error_texts), std::end(error_texts),
                                     [&](const ErrorText& known) { return known.code == static_cast<int>(error); });
    return found == std::end(error_texts) ? unknown : *found;
}

} // namespace

cudaError_t cudaGetLastError() {
    return std::exchange(last_error(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    return describe(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
    return describe(error).text;
}
