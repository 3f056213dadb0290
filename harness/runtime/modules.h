#pragma once

#include "device_code/fat_binary.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::runtime {

/// A kernel as host code knows it: by the address of its stub.
struct RegisteredKernel {
    device_code::Kernel code;
    int ptx_architecture = 0;             ///< what its device code was compiled as (__CUDA_ARCH__ / 10)
    int preferred_shared_percent = -1;    ///< cudaFuncAttributePreferredSharedMemoryCarveout
    bool non_portable_cluster = false;    ///< cudaFuncAttributeNonPortableClusterSizeAllowed
    std::uint32_t max_dynamic_shared = 0; ///< bytes, cudaFuncAttributeMaxDynamicSharedMemorySize
};

/// The device code that host code has registered, and its kernels and variables by their addresses in host code.
class Modules {
public:
    /// Failure of stage contract if the device code cannot be read. `container` must stay where it is.
    [[nodiscard]] Expected<void**, Failure> add(const void* container);

    /// Kernels and variables that the device code lacks are left out: host code then sees the error of an unknown one.
    void add_kernel(void** handle, const void* host_function, const char* name, std::uint32_t default_shared_bytes);
    void add_variable(void** handle, const void* host_variable, const char* name);

    /// A variable of __managed__ memory, to be found at *host_pointer once the runtime has placed it.
    struct Managed {
        void** handle;
        void** host_pointer;
        device_code::Variable variable;
    };
    void add_managed(void** handle, void** host_pointer, const char* name);
    /// Those of a handle that were not taken yet.
    [[nodiscard]] std::vector<Managed> take_managed(void** handle);

    [[nodiscard]] RegisteredKernel* kernel(const void* host_function); ///< null if unknown
    [[nodiscard]] const device_code::Variable* variable(const void* host_variable) const;

private:
    [[nodiscard]] const device_code::FatBinary* code(void** handle) const;

    std::deque<device_code::FatBinary> code_; ///< a handle is the address of an element
    std::map<const void*, RegisteredKernel> kernels_;
    std::map<const void*, device_code::Variable> variables_;
    std::vector<Managed> managed_; ///< not placed yet
};

} // namespace cudabench::runtime
