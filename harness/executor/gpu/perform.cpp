#include "executor/gpu/perform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <variant>

namespace cudabench::gpu {
namespace {

void set_source(CUDA_MEMCPY2D& copied, CUdeviceptr address, std::uint64_t pitch) {
    copied.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copied.srcDevice = address;
    copied.srcPitch = pitch;
}

void set_destination(CUDA_MEMCPY2D& copied, CUdeviceptr address, std::uint64_t pitch) {
    copied.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copied.dstDevice = address;
    copied.dstPitch = pitch;
}

bool empty(const recipe::Region& region) {
    return region.row_bytes == 0 || region.rows == 0;
}

} // namespace

Performer::Performer(const Device& device, Program& program, Workspace& workspace)
    : device_(device), program_(program), workspace_(workspace), order_(device.driver(), device.stream()) {}

void Performer::add(std::span<const recipe::Operation> operations) {
    for (const recipe::Operation& operation : operations)
        std::visit([this](const auto& alternative) { start(alternative); }, operation);
}

CUstream Performer::enter(recipe::StreamId stream) {
    if (start_mark_ != nullptr)
        device_.driver().cuEventRecord(std::exchange(start_mark_, nullptr), device_.stream());
    return order_.enter(stream);
}

CUdeviceptr Performer::address_of(const recipe::Place& place) const {
    if (const auto* address = std::get_if<recipe::Address>(&place))
        return *address;
    const auto& symbol = std::get<recipe::Symbol>(place);
    const auto global = program_.global(symbol.name);
    if (!global)
        throw std::logic_error(fmt::format("the device code has no variable {}", symbol.name));
    return global->address + symbol.offset;
}

const Kernel& Performer::kernel_of(const recipe::Launch& operation) {
    const Kernel* const kernel = program_.kernel(operation.kernel);
    if (kernel == nullptr)
        throw std::logic_error(fmt::format("the device code has no kernel {}", operation.kernel));
    // The driver reads as many bytes as the kernel declares, whatever there are.
    if (!std::ranges::equal(operation.arguments, kernel->parameter_bytes, {}, &std::vector<std::byte>::size))
        throw std::logic_error(fmt::format("arguments of other sizes than kernel {} declares", operation.kernel));
    if (std::ranges::find(kernels_, operation.kernel) == kernels_.end())
        kernels_.push_back(operation.kernel);
    return *kernel;
}

void Performer::start(const recipe::Launch& operation) {
    const Kernel& kernel = kernel_of(operation);
    if (operation.dynamic_shared_bytes != 0)
        device_.driver().cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                              static_cast<int>(operation.dynamic_shared_bytes), kernel.handle,
                                              device_.handle());
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;

    CUlaunchConfig config{};
    config.gridDimX = operation.grid.x;
    config.gridDimY = operation.grid.y;
    config.gridDimZ = operation.grid.z;
    config.blockDimX = operation.block.x;
    config.blockDimY = operation.block.y;
    config.blockDimZ = operation.block.z;
    config.sharedMemBytes = operation.dynamic_shared_bytes;
    config.hStream = enter(operation.stream);
    config.attrs = &cooperative;
    config.numAttrs = operation.cooperative ? 1 : 0;

    std::vector<void*> arguments;
    for (const std::vector<std::byte>& argument : operation.arguments)
        arguments.push_back(const_cast<std::byte*>(argument.data())); // read only, by the driver
    // A CUkernel stands for its CUfunction in the current context.
    device_.driver().cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel.handle), arguments.data(), nullptr);
}

void Performer::start(const recipe::Fill& operation) {
    const CUdeviceptr address = address_of(operation.destination);
    const CUstream stream = enter(operation.stream);
    const recipe::Region& region = operation.region;
    if (empty(region))
        return;
    if (region.rows == 1)
        device_.driver().cuMemsetD8Async(address, operation.value, region.row_bytes, stream);
    else
        device_.driver().cuMemsetD2D8Async(address, operation.pitch, operation.value, region.row_bytes, region.rows,
                                           stream);
}

void Performer::start(const recipe::CopyToDevice& operation) {
    const CUstream stream = enter(operation.stream);
    if (empty(operation.region))
        return;
    // Page-locked and kept, so that a graph can copy it again and as fast as a device can.
    staged_.push_back(driver::allocate_pinned(device_.driver(), operation.data.size()));
    std::memcpy(staged_.back().get(), operation.data.data(), operation.data.size());
    CUDA_MEMCPY2D copied{};
    copied.srcMemoryType = CU_MEMORYTYPE_HOST;
    copied.srcHost = staged_.back().get();
    copied.srcPitch = operation.region.row_bytes;
    set_destination(copied, address_of(operation.destination), operation.pitch);
    copy(copied, operation.region, stream);
}

void Performer::start(const recipe::CopyOnDevice& operation) {
    const CUstream stream = enter(operation.stream);
    CUDA_MEMCPY2D copied{};
    set_source(copied, address_of(operation.source), operation.source_pitch);
    set_destination(copied, address_of(operation.destination), operation.destination_pitch);
    copy(copied, operation.region, stream);
}

void Performer::start(const recipe::CopyToHost& operation) {
    // The bytes went to the host code that asked; what remains is that it waited for them.
    order_.synchronize({.scope = recipe::Synchronize::Scope::stream, .id = operation.stream});
}

CUstream Performer::read(const recipe::CopyToHost& question, std::span<std::byte> bytes) {
    const CUstream stream = enter(question.stream);
    CUDA_MEMCPY2D copied{};
    set_source(copied, address_of(question.source), question.pitch);
    copied.dstMemoryType = CU_MEMORYTYPE_HOST;
    copied.dstHost = bytes.data();
    copied.dstPitch = question.region.row_bytes;
    copy(copied, question.region, stream);
    order_.synchronize({.scope = recipe::Synchronize::Scope::stream, .id = question.stream});
    return stream;
}

void Performer::copy(CUDA_MEMCPY2D& copied, const recipe::Region& region, CUstream stream) const {
    if (empty(region))
        return;
    copied.WidthInBytes = region.row_bytes;
    copied.Height = region.rows;
    if (region.rows > 1) {
        device_.driver().cuMemcpy2DAsync(&copied, stream);
        return;
    }
    if (copied.srcMemoryType == CU_MEMORYTYPE_HOST)
        device_.driver().cuMemcpyHtoDAsync(copied.dstDevice, copied.srcHost, region.row_bytes, stream);
    else if (copied.dstMemoryType == CU_MEMORYTYPE_HOST)
        device_.driver().cuMemcpyDtoHAsync(copied.dstHost, copied.srcDevice, region.row_bytes, stream);
    else
        device_.driver().cuMemcpyDtoDAsync(copied.dstDevice, copied.srcDevice, region.row_bytes, stream);
}

} // namespace cudabench::gpu
