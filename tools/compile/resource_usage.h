#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench::compile {

/// What ptxas says of one kernel, by its mangled name; bytes are per thread, shared memory per block (static only),
/// constants over all banks.
struct KernelResources {
    std::string name;
    std::int64_t registers = 0;
    std::int64_t shared_bytes = 0;
    std::int64_t stack_bytes = 0;
    std::int64_t spill_stores = 0;
    std::int64_t spill_loads = 0;
    std::int64_t constant_bytes = 0;
};

/// The kernels that `ptxas -v` reports in the compiler's output.
[[nodiscard]] std::vector<KernelResources> kernels_in(std::string_view output);

/// The output without what `ptxas -v` adds to it.
[[nodiscard]] std::string without_resource_usage(std::string_view output);

} // namespace cudabench::compile
