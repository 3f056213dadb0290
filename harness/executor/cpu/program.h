#pragma once

#include "device_code/fat_binary.h"
#include "executor/cpu/code.h"
#include "executor/cpu/linkage.h"
#include "executor/cpu/memory.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "ptx/module.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench::cpu {

/// A module-scope variable in device memory.
struct Global {
    Address address = 0;
    std::uint64_t bytes = 0;
};

/// The PTX of a shared object, and its variables in the memory of a device. One at a time in a memory.
class Program {
public:
    /// Failure: stage fault, the file cannot be read; stage contract, it is malformed, holds no PTX or too much; stage
    /// not_run, its variables are too large for this executor.
    static Expected<Program, Failure> load(const std::filesystem::path& shared_object);

    /// What the file holds, for the validation of recipes.
    [[nodiscard]] std::span<const device_code::FatBinary> code() const noexcept { return code_; }
    /// A kernel ready to run, decoded when first asked for. Failure of stage contract: it is not there, or
    /// "unsupported_instruction: ...".
    Expected<const Code*, Failure> kernel(const std::string& name);
    /// By the name that the device code uses.
    [[nodiscard]] std::optional<Global> global(std::string_view name) const;

    /// Maps every variable with its first value, in place of an earlier mapping. Throws std::bad_alloc.
    void place_globals(Memory& memory) const;

private:
    struct Placed {
        const ptx::Variable* variable = nullptr;
        std::size_t module = 0;
        Address address = 0;
    };

    Program(std::vector<std::byte> file, std::vector<device_code::FatBinary> code);
    std::optional<Failure> parse_modules();
    /// Returns the bytes of all variables.
    std::uint64_t choose_addresses();

    std::vector<std::byte> file_;
    std::vector<device_code::FatBinary> code_;          ///< views into file_
    std::vector<std::unique_ptr<ptx::Module>> modules_; ///< likewise
    std::vector<Linkage> linkages_;                     ///< of the modules
    std::vector<Placed> placed_;
    std::map<std::string_view, std::size_t> by_name_; ///< indices; the first of several of a name
    std::map<std::string, std::unique_ptr<Code>> kernels_;
};

} // namespace cudabench::cpu
