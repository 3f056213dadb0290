#include "runtime/launch.h"

#include "runtime/occupancy.h"

#include <cstring>
#include <string>

/// Kernel launches. What the real runtime refuses at the call is refused here, with the same code.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

struct Configuration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
    bool programmatic = false;
    dim3 cluster = {0, 0, 0}; ///< 0: none asked for
};

std::uint64_t volume(dim3 size) {
    return std::uint64_t{size.x} * size.y * size.z;
}

bool within(dim3 size, int x, int y, int z) {
    const auto most = [](int value) { return static_cast<unsigned>(value); };
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most(x) && size.y <= most(y) && size.z <= most(z);
}

std::string text(dim3 size) {
    return std::string("(") + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) +
           ")";
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

/// Whether the cluster that the launch asks for, or its kernel declares, can be had.
cudaError_t check_cluster(Recording& r, const std::string& launch, const RegisteredKernel& kernel,
                          const Configuration& c) {
    const auto& declared = kernel.code.cluster;
    const dim3 cluster = c.cluster.x != 0 ? c.cluster : dim3(declared[0], declared[1], declared[2]);
    if (cluster.x == 0)
        return cudaSuccess;
    constexpr std::uint64_t portable = 8;
    constexpr std::uint64_t most = 16;
    if (cluster.y == 0 || cluster.z == 0 || volume(cluster) > (kernel.non_portable_cluster ? most : portable))
        return r.refuse(cudaErrorInvalidClusterSize, launch + "cluster " + text(cluster));
    if (c.grid.x % cluster.x != 0 || c.grid.y % cluster.y != 0 || c.grid.z % cluster.z != 0)
        return r.refuse(cudaErrorInvalidConfiguration,
                        launch + "grid " + text(c.grid) + " is no multiple of cluster " + text(cluster));
    return cudaSuccess;
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
    if (const auto error = check_cluster(r, launch, *kernel, c); error != cudaSuccess)
        return error;
    recipe::Launch operation{.stream = stream,
                             .kernel = kernel->code.name,
                             .grid = extent(c.grid),
                             .block = extent(c.block),
                             .dynamic_shared_bytes = static_cast<std::uint32_t>(c.shared_bytes),
                             .cooperative = c.cooperative,
                             .arguments = {},
                             .cluster = extent(c.cluster),
                             .programmatic = c.programmatic};
    for (std::size_t i = 0; i < kernel->code.parameter_bytes.size(); ++i) {
        if (!arguments || !arguments[i])
            return r.refuse(cudaErrorInvalidValue, launch + "argument " + std::to_string(i) + " is missing");
        const auto* bytes = static_cast<const std::byte*>(arguments[i]);
        operation.arguments.emplace_back(bytes, bytes + kernel->code.parameter_bytes[i]);
    }
    return r.submit(stream, cudaGraphNodeTypeKernel, [operation](Recording& later, recipe::StreamId its) mutable {
        operation.stream = its;
        later.launch(operation);
        return cudaSuccess;
    });
}

const char* name(cudaLaunchAttributeID attribute) {
    switch (attribute) {
    case cudaLaunchAttributeProgrammaticEvent: return "cudaLaunchAttributeProgrammaticEvent";
    case cudaLaunchAttributePreferredClusterDimension: return "cudaLaunchAttributePreferredClusterDimension";
    case cudaLaunchAttributeLaunchCompletionEvent: return "cudaLaunchAttributeLaunchCompletionEvent";
    case cudaLaunchAttributeDeviceUpdatableKernelNode: return "cudaLaunchAttributeDeviceUpdatableKernelNode";
    default: return "another attribute";
    }
}

/// What the attributes ask for. One that would change what the launch does, in a way that a recipe cannot say, ends the
/// case; hints are left out.
Configuration configuration(Recording& r, const cudaLaunchConfig_t& config) {
    Configuration c{.grid = config.gridDim, .block = config.blockDim, .shared_bytes = config.dynamicSmemBytes};
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        switch (attribute.id) {
        case cudaLaunchAttributeCooperative: c.cooperative = attribute.val.cooperative != 0; break;
        case cudaLaunchAttributeProgrammaticStreamSerialization:
            c.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
            break;
        case cudaLaunchAttributeClusterDimension: {
            const auto& cluster = attribute.val.clusterDim;
            c.cluster = {cluster.x, cluster.y, cluster.z};
            break;
        }
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
        case cudaLaunchAttributePreferredSharedMemoryCarveout: break;
        default: r.link.unsupported(std::string("cudaLaunchKernelExC with ") + name(attribute.id));
        }
    }
    return c;
}

} // namespace

namespace cudabench::runtime {

cudaError_t launch_kernel(Recording& r, recipe::StreamId stream, const void* function, dim3 grid, dim3 block,
                          void** arguments, std::size_t shared_bytes) {
    return record_launch(r, stream, function, {.grid = grid, .block = block, .shared_bytes = shared_bytes}, arguments);
}

} // namespace cudabench::runtime

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        return launch_kernel(r, id, function, grid, block, arguments, shared_bytes);
    });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        return record_launch(r, id, function,
                             {.grid = grid, .block = block, .shared_bytes = shared_bytes, .cooperative = true},
                             arguments);
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (!config)
        return remember(cudaErrorInvalidValue);
    return answer_on(config->stream, [&](Recording& r, recipe::StreamId id) {
        return record_launch(r, id, function, configuration(r, *config), arguments);
    });
}

namespace {

cudaError_t cluster_occupancy(int* count, const void* function, const cudaLaunchConfig_t* config, bool largest) {
    return answer([&](Recording& r) {
        const auto* kernel = r.modules.kernel(function);
        if (!count || !config || !kernel)
            return cudaErrorInvalidValue;
        const Configuration c = configuration(r, *config);
        recipe::ClusterOccupancy question{.launch = {}, .largest = largest};
        question.launch.kernel = kernel->code.name;
        question.launch.grid = extent(c.grid);
        question.launch.block = extent(c.block);
        question.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(c.shared_bytes);
        question.launch.cluster = extent(c.cluster);
        const auto answered = r.ask_number(question);
        if (!answered)
            return cudaErrorInvalidValue;
        *count = static_cast<int>(*answered);
        return cudaSuccess;
    });
}

} // namespace

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
    return cluster_occupancy(clusters, function, config, false);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cudaLaunchConfig_t* config) {
    return cluster_occupancy(blocks, function, config, true);
}
