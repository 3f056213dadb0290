#include "runtime/recording.h"

#include <vector>

/// What a compiled candidate calls while it is loaded, and around each <<<>>>.

using namespace cudabench::runtime;

namespace {

/// What __cudaRegisterFatBinary is given (fatbinary_section.h of the toolkit).
struct FatBinaryWrapper {
    int magic;
    int version;
    const void* container;
    void* more;
};

struct CallConfiguration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes;
    cudaStream_t stream;
};

std::vector<CallConfiguration>& call_configurations() {
    thread_local std::vector<CallConfiguration> stack;
    return stack;
}

} // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
    constexpr int whole_program = 1;
    constexpr int linked = 2; // by nvlink: the container holds what -rdc=true sources were linked to
    const std::lock_guard lock(recording_lock());
    Recording& r = recording();
    const auto* fat_binary = static_cast<const FatBinaryWrapper*>(wrapper);
    if (fat_binary->version != whole_program && fat_binary->version != linked)
        r.link.unsupported("device code of an unknown kind");
    const auto handle = r.modules.add(fat_binary->container);
    if (!handle)
        r.link.unsupported("device code: " + handle.error().message);
    return *handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
    const std::lock_guard lock(recording_lock());
    Recording& r = recording();
    r.modules.add_kernel(handle, host_function, device_name,
                         static_cast<std::uint32_t>(r.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)));
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t, int, int) {
    const std::lock_guard lock(recording_lock());
    recording().modules.add_variable(handle, host_variable, device_name);
}

void __cudaRegisterManagedVar(void** handle, void** host_variable, char*, const char* device_name, int, size_t, int,
                              int) {
    const std::lock_guard lock(recording_lock());
    recording().modules.add_managed(handle, host_variable, device_name);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
    call_configurations().push_back({grid, block, shared_bytes, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    auto& stack = call_configurations();
    if (stack.empty())
        return remember(cudaErrorMissingConfiguration);
    const CallConfiguration top = stack.back();
    stack.pop_back();
    *grid = top.grid;
    *block = top.block;
    *shared_bytes = top.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
    return answer([&](Recording& r) {
        if (!r.modules.kernel(host_function))
            return r.refuse(cudaErrorInvalidDeviceFunction, "a kernel that is not registered");
        *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host_function));
        return cudaSuccess;
    });
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
    return cudaGetKernel(kernel, host_function);
}
