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

/// A launch as the driver takes it. Stays where it is: it points into itself.
class LaunchConfig {
public:
    LaunchConfig(const recipe::Launch& launch, CUstream stream) {
        config_.gridDimX = launch.grid.x;
        config_.gridDimY = launch.grid.y;
        config_.gridDimZ = launch.grid.z;
        config_.blockDimX = launch.block.x;
        config_.blockDimY = launch.block.y;
        config_.blockDimZ = launch.block.z;
        config_.sharedMemBytes = launch.dynamic_shared_bytes;
        config_.hStream = stream;
        config_.attrs = attributes_.data();
        if (launch.cooperative)
            add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
        if (launch.programmatic)
            add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
        if (launch.cluster != recipe::Extent{0, 0, 0})
            add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {launch.cluster.x, launch.cluster.y,
                                                                     launch.cluster.z};
    }
    LaunchConfig(const LaunchConfig&) = delete;
    LaunchConfig& operator=(const LaunchConfig&) = delete;

    [[nodiscard]] const CUlaunchConfig* get() const noexcept { return &config_; }

private:
    CUlaunchAttributeValue& add(CUlaunchAttributeID id) {
        CUlaunchAttribute& attribute = attributes_.at(config_.numAttrs++);
        attribute.id = id;
        return attribute.value;
    }

    std::array<CUlaunchAttribute, 3> attributes_{};
    CUlaunchConfig config_{};
};

/// A CUkernel stands for its CUfunction in the current context.
CUfunction function_of(const Kernel& kernel) {
    return reinterpret_cast<CUfunction>(kernel.handle);
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

void Performer::set_attributes(const recipe::Launch& operation, const Kernel& kernel) const {
    constexpr std::uint32_t portable_cluster = 8;
    const auto set = [&](CUfunction_attribute attribute, int value) {
        device_.driver().cuKernelSetAttribute(attribute, value, kernel.handle, device_.handle());
    };
    if (operation.dynamic_shared_bytes != 0)
        set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(operation.dynamic_shared_bytes));
    if (operation.cluster.x * operation.cluster.y * operation.cluster.z > portable_cluster)
        set(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

void Performer::start(const recipe::Launch& operation) {
    const Kernel& kernel = kernel_of(operation);
    set_attributes(operation, kernel);
    const LaunchConfig config(operation, enter(operation.stream));
    std::vector<void*> arguments;
    for (const std::vector<std::byte>& argument : operation.arguments)
        arguments.push_back(const_cast<std::byte*>(argument.data())); // read only, by the driver
    device_.driver().cuLaunchKernelEx(config.get(), function_of(kernel), arguments.data(), nullptr);
}

std::uint64_t Performer::cluster_occupancy(const recipe::ClusterOccupancy& question) {
    const Kernel* const kernel = program_.kernel(question.launch.kernel);
    if (kernel == nullptr)
        throw std::logic_error(fmt::format("the device code has no kernel {}", question.launch.kernel));
    set_attributes(question.launch, *kernel);
    const LaunchConfig config(question.launch, device_.stream());
    int count = 0;
    if (question.largest)
        device_.driver().cuOccupancyMaxPotentialClusterSize(&count, function_of(*kernel), config.get());
    else
        device_.driver().cuOccupancyMaxActiveClusters(&count, function_of(*kernel), config.get());
    return static_cast<std::uint64_t>(count);
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
    CUDA_MEMCPY3D copied{};
    copied.srcMemoryType = CU_MEMORYTYPE_HOST;
    copied.srcHost = staged_.back().get();
    copied.srcPitch = operation.region.row_bytes;
    set_destination(copied, operation.destination, operation.pitch);
    copy(copied, operation.region, stream);
}

void Performer::start(const recipe::CopyOnDevice& operation) {
    const CUstream stream = enter(operation.stream);
    CUDA_MEMCPY3D copied{};
    set_source(copied, operation.source, operation.source_pitch);
    set_destination(copied, operation.destination, operation.destination_pitch);
    copy(copied, operation.region, stream);
}

void Performer::start(const recipe::CopyToHost& operation) {
    // The bytes went to the host code that asked; what remains is that it waited for them.
    order_.synchronize({.scope = recipe::Synchronize::Scope::stream, .id = operation.stream});
}

CUstream Performer::read(const recipe::CopyToHost& question, std::span<std::byte> bytes) {
    const CUstream stream = enter(question.stream);
    CUDA_MEMCPY3D copied{};
    set_source(copied, question.source, question.pitch);
    copied.dstMemoryType = CU_MEMORYTYPE_HOST;
    copied.dstHost = bytes.data();
    copied.dstPitch = question.region.row_bytes;
    copy(copied, question.region, stream);
    order_.synchronize({.scope = recipe::Synchronize::Scope::stream, .id = question.stream});
    return stream;
}

void Performer::set_source(CUDA_MEMCPY3D& copied, const recipe::Place& place, std::uint64_t pitch) const {
    if (const auto* in = std::get_if<recipe::InArray>(&place)) {
        copied.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        copied.srcArray = workspace_.textures().array(in->array);
        copied.srcXInBytes = in->x;
        copied.srcY = in->y;
        copied.srcZ = in->z;
        return;
    }
    copied.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copied.srcDevice = address_of(place);
    copied.srcPitch = pitch;
}

void Performer::set_destination(CUDA_MEMCPY3D& copied, const recipe::Place& place, std::uint64_t pitch) const {
    if (const auto* in = std::get_if<recipe::InArray>(&place)) {
        copied.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copied.dstArray = workspace_.textures().array(in->array);
        copied.dstXInBytes = in->x;
        copied.dstY = in->y;
        copied.dstZ = in->z;
        return;
    }
    copied.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copied.dstDevice = address_of(place);
    copied.dstPitch = pitch;
}

void Performer::copy(CUDA_MEMCPY3D& copied, const recipe::Region& region, CUstream stream) const {
    if (empty(region))
        return;
    const bool array = copied.srcMemoryType == CU_MEMORYTYPE_ARRAY || copied.dstMemoryType == CU_MEMORYTYPE_ARRAY;
    if (region.rows > 1 || array) {
        copied.WidthInBytes = region.row_bytes;
        copied.Height = region.rows;
        copied.Depth = 1;
        copied.srcHeight = copied.srcY + region.rows;
        copied.dstHeight = copied.dstY + region.rows;
        device_.driver().cuMemcpy3DAsync(&copied, stream);
    } else if (copied.srcMemoryType == CU_MEMORYTYPE_HOST) {
        device_.driver().cuMemcpyHtoDAsync(copied.dstDevice, copied.srcHost, region.row_bytes, stream);
    } else if (copied.dstMemoryType == CU_MEMORYTYPE_HOST) {
        device_.driver().cuMemcpyDtoHAsync(copied.dstHost, copied.srcDevice, region.row_bytes, stream);
    } else {
        device_.driver().cuMemcpyDtoDAsync(copied.dstDevice, copied.srcDevice, region.row_bytes, stream);
    }
}

} // namespace cudabench::gpu
