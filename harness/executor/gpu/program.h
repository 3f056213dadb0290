#pragma once

#include "device_code/fat_binary.h"
#include "driver/library.h"
#include "executor/gpu/device.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench::gpu {

/// A kernel of a program, ready to be launched.
struct Kernel {
    CUkernel handle = nullptr;
    std::vector<std::size_t> parameter_bytes; ///< in declared order
};

/// A module-scope variable of a program, in device memory.
struct Global {
    CUdeviceptr address = 0;
    std::uint64_t bytes = 0;
};

/// The device code of a shared object, loaded. Its host code is never loaded here. Move only.
class Program {
public:
    /// Failure: stage fault, the file cannot be read or holds no code for this GPU; stage contract, it is malformed.
    static Expected<Program, Failure> load(const Device& device, const std::filesystem::path& shared_object);

    /// What the file holds, for the validation of recipes.
    [[nodiscard]] std::span<const device_code::FatBinary> code() const noexcept { return code_; }
    /// By mangled name; null if there is none.
    [[nodiscard]] const Kernel* kernel(const std::string& name);
    /// By the name that the device code uses.
    [[nodiscard]] std::optional<Global> global(std::string_view name) const;

    /// Starts to give every variable the value that it had after loading.
    void restore_globals(CUstream stream) const;

private:
    /// A variable and its first value. The value is kept on the host, where device code cannot change it.
    struct Variable {
        Global place;
        std::vector<std::byte> initial; ///< empty: zeros
    };

    Program(const Device& device, std::vector<std::byte> file, std::vector<device_code::FatBinary> code);
    void remember_globals(const driver::Library& library, const device_code::FatBinary& binary);

    const driver::Driver* driver_;
    std::vector<std::byte> file_;
    std::vector<device_code::FatBinary> code_; ///< views into file_
    std::vector<driver::Library> libraries_;
    std::map<std::string, Kernel> kernels_; ///< those asked for
    std::map<std::string, Variable, std::less<>> variables_;
};

} // namespace cudabench::gpu
