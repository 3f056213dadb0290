#include "runtime/occupancy.h"
#include "runtime/recording.h"

#include <cstring>
#include <string>

/// Kernel launches. What the real runtime refuses at the call is refused here, with the same code.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

struct Configuration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes;
    bool cooperative;
};

std::uint64_t volume(dim3 size) {
    return std::uint64_t{size.x} * size.y * size.z;
}

bool within(dim3 size, int x, int y, int z) {
    const auto most = [](int value) { return static_cast<unsigned>(value); };
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most(x) && size.y <= most(y) && size.z <= most(z);
}

std::string text(dim3 size) {
    return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

cudaError_t check_shape(Recording& r, const std::string& launch, const Configuration& c) {
    if (!within(c.grid, r.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                r.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), r.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)))
        return r.refuse(cudaErrorInvalidConfiguration, launch + "grid " + text(c.grid));
    if (!within(c.block, r.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                r.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y), r.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)) ||
        volume(c.block) > static_cast<unsigned>(r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)))
        return r.refuse(cudaErrorInvalidConfiguration, launch + "block " + text(c.block));
    return cudaSuccess;
}

cudaError_t check_resources(Recording& r, const std::string& launch, const RegisteredKernel& kernel,
                            const Configuration& c) {
    const auto threads = static_cast<int>(volume(c.block));
    if (c.shared_bytes > kernel.max_dynamic_shared)
        return r.refuse(cudaErrorInvalidValue, launch + std::to_string(c.shared_bytes) +
                                                   " bytes of dynamic shared memory, of which it may have " +
                                                   std::to_string(kernel.max_dynamic_shared));
    if (threads > max_threads(r, kernel))
        return r.refuse(cudaErrorLaunchOutOfResources, launch + std::to_string(threads) + " threads a block with " +
                                                           std::to_string(kernel.code.registers) +
                                                           " registers each, of which it may have " +
                                                           std::to_string(max_threads(r, kernel)));
    if (!c.cooperative)
        return cudaSuccess;
    const auto resident = static_cast<std::uint64_t>(blocks_per_multiprocessor(r, kernel, threads, c.shared_bytes)) *
                          static_cast<std::uint64_t>(r.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    if (volume(c.grid) > resident)
        return r.refuse(cudaErrorCooperativeLaunchTooLarge,
                        launch + "grid " + text(c.grid) + ", while " + std::to_string(resident) + " blocks fit");
    return cudaSuccess;
}

recipe::Extent extent(dim3 size) {
    return {size.x, size.y, size.z};
}

cudaError_t record_launch(Recording& r, recipe::StreamId stream, const void* function, const Configuration& c,
                          void** arguments) {
    const auto* kernel = r.modules.kernel(function);
    if (!kernel)
        return r.refuse(cudaErrorInvalidDeviceFunction, "launch of a kernel that is not registered");
    const std::string launch = "launch of " + kernel->code.name + ": ";
    if (const auto error = check_shape(r, launch, c); error != cudaSuccess)
        return error;
    if (const auto error = check_resources(r, launch, *kernel, c); error != cudaSuccess)
        return error;
    recipe::Launch operation{.stream = stream,
                             .kernel = kernel->code.name,
                             .grid = extent(c.grid),
                             .block = extent(c.block),
                             .dynamic_shared_bytes = static_cast<std::uint32_t>(c.shared_bytes),
                             .cooperative = c.cooperative,
                             .arguments = {}};
    for (std::size_t i = 0; i < kernel->code.parameter_bytes.size(); ++i) {
        if (!arguments || !arguments[i])
            return r.refuse(cudaErrorInvalidValue, launch + "argument " + std::to_string(i) + " is missing");
        const auto* bytes = static_cast<const std::byte*>(arguments[i]);
        operation.arguments.emplace_back(bytes, bytes + kernel->code.parameter_bytes[i]);
    }
    r.link.operation(operation);
    return cudaSuccess;
}

const char* name(cudaLaunchAttributeID attribute) {
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: return "cudaLaunchAttributeAccessPolicyWindow";
    case cudaLaunchAttributeSynchronizationPolicy: return "cudaLaunchAttributeSynchronizationPolicy";
    case cudaLaunchAttributeClusterDimension: return "cudaLaunchAttributeClusterDimension";
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        return "cudaLaunchAttributeClusterSchedulingPolicyPreference";
    case cudaLaunchAttributeProgrammaticEvent: return "cudaLaunchAttributeProgrammaticEvent";
    case cudaLaunchAttributePriority: return "cudaLaunchAttributePriority";
    case cudaLaunchAttributeMemSyncDomainMap: return "cudaLaunchAttributeMemSyncDomainMap";
    case cudaLaunchAttributeMemSyncDomain: return "cudaLaunchAttributeMemSyncDomain";
    case cudaLaunchAttributePreferredClusterDimension: return "cudaLaunchAttributePreferredClusterDimension";
    case cudaLaunchAttributeLaunchCompletionEvent: return "cudaLaunchAttributeLaunchCompletionEvent";
    default: return "another attribute";
    }
}

/// Whether the launch is cooperative; any attribute that would change what the launch does ends the case.
bool is_cooperative(Recording& r, const cudaLaunchConfig_t& config) {
    bool cooperative = false;
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        const auto& cluster = attribute.val.clusterDim;
        // Programmatic serialisation only permits an overlap with the kernel before: without it nothing is missing.
        if (attribute.id == cudaLaunchAttributeIgnore ||
            attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            continue;
        if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x == 1 && cluster.y == 1 && cluster.z == 1)
            continue;
        if (attribute.id != cudaLaunchAttributeCooperative)
            r.link.unsupported(std::string("cudaLaunchKernelExC with ") + name(attribute.id));
        cooperative = attribute.val.cooperative != 0;
    }
    return cooperative;
}

} // namespace

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        return record_launch(r, id, function, {grid, block, shared_bytes, false}, arguments);
    });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        return record_launch(r, id, function, {grid, block, shared_bytes, true}, arguments);
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (!config)
        return remember(cudaErrorInvalidValue);
    return answer_on(config->stream, [&](Recording& r, recipe::StreamId id) {
        return record_launch(r, id, function,
                             {config->gridDim, config->blockDim, config->dynamicSmemBytes, is_cooperative(r, *config)},
                             arguments);
    });
}
