#include "executor/gpu/program.h"

#include "device_code/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cudabench::gpu {
namespace {

std::vector<std::size_t> parameter_bytes(const driver::Driver& driver, CUkernel kernel) {
    std::vector<std::size_t> sizes;
    std::size_t offset = 0;
    std::size_t size = 0;
    while (driver.cuKernelGetParamInfo.result(kernel, sizes.size(), &offset, &size) == CUDA_SUCCESS)
        sizes.push_back(size);
    return sizes;
}

} // namespace

Expected<Program, Failure> Program::load(const Device& device, const std::filesystem::path& shared_object) {
    auto file = device_code::read_file(shared_object);
    if (!file)
        return file.error();
    auto code = device_code::read_shared_object(*file);
    if (!code)
        return code.error();
    try {
        return Program(device, std::move(*file), std::move(*code));
    } catch (const driver::DriverError& error) {
        return Failure{Stage::fault,
                       fmt::format("cannot load the device code of {} on {} ({}); was it compiled for this GPU "
                                   "(CUDABENCH_ARCHITECTURE)?",
                                   shared_object.string(), device.description().name, error.description())};
    }
}

Program::Program(const Device& device, std::vector<std::byte> file, std::vector<device_code::FatBinary> code)
    : driver_(&device.driver()), file_(std::move(file)), code_(std::move(code)) {
    for (const device_code::FatBinary& binary : code_) {
        libraries_.push_back(driver::load_library(*driver_, binary.image));
        remember_globals(libraries_.back(), binary);
    }
}

void Program::remember_globals(const driver::Library& library, const device_code::FatBinary& binary) {
    for (const device_code::Variable& variable : binary.variables) {
        Variable found;
        std::size_t bytes = 0;
        const auto is_found = [&](const auto& function) { // __managed__ variables are found by a function of their own
            return function.result(&found.place.address, &bytes, library.get(), variable.name.c_str()) == CUDA_SUCCESS;
        };
        if (!is_found(driver_->cuLibraryGetGlobal) && !is_found(driver_->cuLibraryGetManaged))
            continue; // removed when the driver linked the code
        found.place.bytes = bytes;
        found.initial.resize(bytes);
        driver_->cuMemcpyDtoHAsync(found.initial.data(), found.place.address, bytes, nullptr);
        driver_->cuCtxSynchronize();
        if (std::ranges::all_of(found.initial, [](std::byte byte) { return byte == std::byte{0}; }))
            found.initial = {};
        variables_.insert_or_assign(variable.name, std::move(found));
    }
}

const Kernel* Program::kernel(const std::string& name) {
    if (const auto known = kernels_.find(name); known != kernels_.end())
        return &known->second;
    for (const driver::Library& library : libraries_) {
        CUkernel handle = nullptr;
        if (driver_->cuLibraryGetKernel.result(&handle, library.get(), name.c_str()) != CUDA_SUCCESS)
            continue;
        return &kernels_.emplace(name, Kernel{handle, parameter_bytes(*driver_, handle)}).first->second;
    }
    return nullptr;
}

std::optional<Global> Program::global(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::nullopt : std::optional(found->second.place);
}

void Program::restore_globals(CUstream stream) const {
    for (const auto& [name, variable] : variables_) {
        if (variable.initial.empty())
            driver_->cuMemsetD8Async(variable.place.address, 0, variable.place.bytes, stream);
        else
            driver_->cuMemcpyHtoDAsync(variable.place.address, variable.initial.data(), variable.place.bytes, stream);
    }
}

} // namespace cudabench::gpu
