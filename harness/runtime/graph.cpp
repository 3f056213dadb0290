#include "runtime/graph.h"

#include "runtime/allocation.h"
#include "runtime/copy_3d.h"
#include "runtime/launch.h"
#include "runtime/unsupported.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cudabench::runtime {

std::size_t Graph::add(cudaGraphNodeType type, recipe::StreamId stream, Work work, std::set<std::size_t> after) {
    // Numbers are unique in the process: host code names nodes of several graphs by handles alone.
    static std::size_t next = 0;
    nodes_[next] = Node{type, stream, std::move(work), std::move(after)};
    return next++;
}

std::vector<std::size_t> Graph::order() const {
    std::vector<std::size_t> done;
    std::set<std::size_t> left;
    for (const auto& [number, node] : nodes_)
        left.insert(number);
    for (bool found = true; found;) {
        found = false;
        for (const std::size_t number : left) {
            const auto& after = nodes_.at(number).after;
            if (std::any_of(after.begin(), after.end(), [&](std::size_t other) { return left.contains(other); }))
                continue;
            done.push_back(number);
            left.erase(number);
            found = true;
            break;
        }
    }
    return done;
}

} // namespace cudabench::runtime

/// Graphs that host code makes, by capture or node by node.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

constexpr recipe::StreamId by_hand = 0;

std::size_t number_of(cudaGraphNode_t node) {
    const auto at = [](auto handle) { return reinterpret_cast<std::uintptr_t>(handle); };
    const auto first = at(handle_of<cudaGraphNode_t>(0));
    return (at(node) - first) / (at(handle_of<cudaGraphNode_t>(1)) - first);
}

template <typename Use> cudaError_t with_graph(cudaGraph_t handle, Use&& use) {
    return answer([&](Recording& r) {
        const auto found = r.graphs.find(handle);
        return found == r.graphs.end() ? r.refuse(cudaErrorInvalidValue, "a graph that does not exist")
                                       : use(r, *found->second);
    });
}

template <typename Use> cudaError_t with_executable(cudaGraphExec_t handle, Use&& use) {
    return answer([&](Recording& r) {
        const auto found = r.executable_graphs.find(handle);
        return found == r.executable_graphs.end()
                   ? r.refuse(cudaErrorInvalidValue, "an executable graph that does not exist")
                   : use(r, found->second);
    });
}

cudaGraph_t new_graph(Recording& r) {
    static std::uint64_t next = 0;
    const auto handle = handle_of<cudaGraph_t>(next++);
    r.graphs[handle] = std::make_unique<Graph>();
    return handle;
}

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t count,
                     cudaGraphNodeType type, Work work) {
    return with_graph(graph, [&](Recording&, Graph& g) {
        if (!node || (count != 0 && !dependencies))
            return cudaErrorInvalidValue;
        std::set<std::size_t> after;
        for (std::size_t i = 0; i < count; ++i)
            after.insert(number_of(dependencies[i]));
        *node = handle_of<cudaGraphNode_t>(g.add(type, by_hand, std::move(work), std::move(after)));
        return cudaSuccess;
    });
}

/// The launch that a kernel node is, as a graph of one node, for its errors come at once.
cudabench::Expected<Work, cudaError_t> kernel_work(const cudaKernelNodeParams& p) {
    const std::lock_guard lock(recording_lock());
    Recording& r = recording();
    Graph one;
    auto capture = std::make_shared<Capture>();
    capture->graph = &one;
    constexpr recipe::StreamId no_stream = ~recipe::StreamId{0};
    r.captures[no_stream] = capture;
    const auto error = launch_kernel(r, no_stream, p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes);
    r.captures.erase(no_stream);
    if (error != cudaSuccess)
        return error;
    return std::move(one.nodes().begin()->second.work);
}

Work fill_work(const cudaMemsetParams& p) {
    return [p](Recording& r, recipe::StreamId stream) { return fill_elements(r, stream, p); };
}

Work copies_work(const cudaMemcpy3DParms& p) {
    return [p](Recording& r, recipe::StreamId stream) { return perform_3d(r, p, stream, false); };
}

Work host_work(const cudaHostNodeParams& p) {
    return [p](Recording& r, recipe::StreamId stream) {
        r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::stream, stream});
        p.fn(p.userData);
        return cudaSuccess;
    };
}

cudaError_t run(Recording& r, const Graph& graph, const std::vector<std::size_t>& order,
                const std::function<recipe::StreamId(recipe::StreamId)>& stream) {
    for (const std::size_t number : order) {
        const Graph::Node& node = graph.nodes().at(number);
        if (!node.work)
            continue;
        if (const auto error = node.work(r, stream(node.stream)); error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t instantiate(Recording& r, cudaGraphExec_t* executable, const Graph& graph) {
    static std::uint64_t next = 0;
    if (!executable)
        return cudaErrorInvalidValue;
    ExecutableGraph made{.graph = graph, .order = graph.order(), .origin = {}, .streams = {}};
    if (made.order.size() != graph.nodes().size())
        return r.refuse(cudaErrorInvalidValue, "a graph whose dependencies make a circle");
    for (const auto& [number, node] : graph.nodes()) {
        if (!made.origin)
            made.origin = node.stream;
        if (node.stream == *made.origin || made.streams.contains(node.stream))
            continue;
        const auto stream = r.create_stream(false);
        if (!stream)
            return r.refuse(cudaErrorMemoryAllocation, "too many streams");
        made.streams[node.stream] = *stream;
    }
    *executable = handle_of<cudaGraphExec_t>(next++);
    r.executable_graphs[*executable] = std::move(made);
    return cudaSuccess;
}

cudaError_t set_work(Graph& graph, cudaGraphNode_t node, cudaGraphNodeType type, Work work) {
    const auto found = graph.nodes().find(number_of(node));
    if (found == graph.nodes().end() || found->second.type != type)
        return cudaErrorInvalidValue;
    found->second.work = std::move(work);
    return cudaSuccess;
}

cudaError_t set_in_graph(cudaGraphNode_t node, cudaGraphNodeType type, const Work& work) {
    return answer([&](Recording& r) {
        for (auto& [handle, graph] : r.graphs)
            if (graph->nodes().contains(number_of(node)))
                return set_work(*graph, node, type, work);
        return r.refuse(cudaErrorInvalidValue, "a node that does not exist");
    });
}

cudaError_t set_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type, Work work) {
    return with_executable(
        executable, [&](Recording&, ExecutableGraph& e) { return set_work(e.graph, node, type, std::move(work)); });
}

} // namespace

// Capture.

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        if (id == 0 || r.captures.contains(id))
            return r.refuse(cudaErrorStreamCaptureUnsupported, "a capture of the default stream, or a second one");
        auto capture = std::make_shared<Capture>();
        capture->handle = new_graph(r);
        capture->graph = r.graphs.at(capture->handle).get();
        capture->origin = id;
        r.captures[id] = std::move(capture);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        const auto found = r.captures.find(id);
        if (!graph || found == r.captures.end() || found->second->origin != id)
            return r.refuse(cudaErrorIllegalState, "the end of a capture that was not begun on the stream");
        const auto capture = found->second;
        *graph = capture->handle;
        std::erase_if(r.captures, [&](const auto& entry) { return entry.second == capture; });
        return cudaSuccess;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        if (!status)
            return cudaErrorInvalidValue;
        *status = r.captures.contains(id) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        return cudaSuccess;
    });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    if (!mode)
        return remember(cudaErrorInvalidValue);
    std::swap(*mode, current);
    return cudaSuccess;
}

// Node by node.

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
    return answer([&](Recording& r) {
        if (!graph)
            return cudaErrorInvalidValue;
        *graph = new_graph(r);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return with_graph(graph, [&](Recording& r, Graph&) {
        r.graphs.erase(graph);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
    return with_graph(original, [&](Recording& r, Graph& g) {
        if (!clone)
            return cudaErrorInvalidValue;
        *clone = new_graph(r);
        *r.graphs.at(*clone) = g;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    auto work = kernel_work(*params);
    return work ? add_node(node, graph, dependencies, count, cudaGraphNodeTypeKernel, std::move(*work))
                : remember(work.error());
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, copies_work(*params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return add_node(
        node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
        copy_later({.destination = {to, bytes}, .source = {from, bytes}, .region = {bytes, 1}, .kind = kind}));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemset, fill_work(*params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* params) {
    if (!params || !params->fn)
        return remember(cudaErrorInvalidValue);
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeHost, host_work(*params));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, {});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
    Work work;
    const auto error = with_graph(child, [&](Recording&, Graph& g) {
        work = [copy = g, order = g.order()](Recording& r, recipe::StreamId stream) {
            return run(r, copy, order, [stream](recipe::StreamId) { return stream; });
        };
        return cudaSuccess;
    });
    return error == cudaSuccess ? add_node(node, graph, dependencies, count, cudaGraphNodeTypeGraph, std::move(work))
                                : error;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, cudaMemAllocNodeParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    const auto error = answer([&](Recording& r) { return allocate_for_graph(r, &params->dptr, params->bytesize); });
    return error == cudaSuccess ? add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemAlloc, {}) : error;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, void* pointer) {
    const auto error = answer([&](Recording& r) {
        return r.graph_memory.contains(pointer)
                   ? cudaSuccess
                   : r.refuse(cudaErrorInvalidValue, "a node that frees what no graph allocated");
    });
    return error == cudaSuccess ? add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemFree, {}) : error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
    return with_graph(graph, [&](Recording&, Graph& g) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto node = g.nodes().find(number_of(to[i]));
            if (node == g.nodes().end())
                return cudaErrorInvalidValue;
            node->second.after.insert(number_of(from[i]));
        }
        return cudaSuccess;
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return with_graph(graph, [&](Recording&, Graph& g) {
        if (!count)
            return cudaErrorInvalidValue;
        const std::size_t room = nodes ? *count : 0;
        std::size_t i = 0;
        for (const auto& [number, node] : g.nodes()) {
            // Events that order the streams of a capture are edges of the graph that comes of it.
            if (node.type == cudaGraphNodeTypeEventRecord || node.type == cudaGraphNodeTypeWaitEvent)
                continue;
            if (i < room)
                nodes[i] = handle_of<cudaGraphNode_t>(number);
            ++i;
        }
        *count = room == 0 ? i : std::min(i, room);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return answer([&](Recording& r) {
        for (const auto& [handle, graph] : r.graphs)
            if (const auto found = graph->nodes().find(number_of(node)); type && found != graph->nodes().end()) {
                *type = found->second.type;
                return cudaSuccess;
            }
        return r.refuse(cudaErrorInvalidValue, "the type of a node that does not exist");
    });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return answer([&](Recording& r) {
        const std::size_t number = number_of(node);
        for (auto& [handle, graph] : r.graphs)
            if (graph->nodes().erase(number) == 1) {
                for (auto& [other, left] : graph->nodes())
                    left.after.erase(number);
                return cudaSuccess;
            }
        return r.refuse(cudaErrorInvalidValue, "destruction of a node that does not exist");
    });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    switch (params->type) {
    case cudaGraphNodeTypeKernel: {
        const auto& p = params->kernel;
        const cudaKernelNodeParams kernel{p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
        return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        const auto& p = params->memset;
        const cudaMemsetParams fill{p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
        return cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill);
    }
    case cudaGraphNodeTypeHost: {
        const cudaHostNodeParams host{params->host.fn, params->host.userData};
        return cudaGraphAddHostNode(node, graph, dependencies, count, &host);
    }
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, graph, dependencies, count, params->free.dptr);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
    default: unsupported("cudaGraphAddNode of another type");
    }
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId number) {
        const auto capture = r.captures.find(number);
        const bool active = capture != r.captures.end();
        if (!status)
            return cudaErrorInvalidValue;
        if (active && (dependencies || edges))
            r.link.unsupported("cudaStreamGetCaptureInfo with dependencies");
        *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        if (id)
            *id = active ? capture->second->origin + 1 : 0;
        if (graph)
            *graph = active ? capture->second->handle : nullptr;
        if (count)
            *count = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    const auto work = kernel_work(*params);
    return work ? set_in_graph(node, cudaGraphNodeTypeKernel, *work) : remember(work.error());
}

// Executable graphs.

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    return with_graph(graph, [&](Recording& r, Graph& g) { return instantiate(r, executable, g); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
    if (params)
        params->result_out = cudaGraphInstantiateSuccess;
    return cudaGraphInstantiate(executable, graph, 0);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return with_executable(executable, [&](Recording& r, ExecutableGraph&) {
        r.executable_graphs.erase(executable);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
    return with_executable(executable, [](Recording&, ExecutableGraph&) { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        const auto found = r.executable_graphs.find(executable);
        if (found == r.executable_graphs.end())
            return r.refuse(cudaErrorInvalidValue, "a launch of a graph that does not exist");
        return r.submit(id, cudaGraphNodeTypeGraph, [graph = found->second](Recording& later, recipe::StreamId its) {
            return run(later, graph.graph, graph.order, [&](recipe::StreamId captured) {
                return captured == graph.origin ? its : graph.streams.at(captured);
            });
        });
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    return with_executable(executable, [&](Recording& r, ExecutableGraph& e) {
        const auto found = r.graphs.find(graph);
        if (found == r.graphs.end())
            return cudaErrorInvalidValue;
        const auto types = [](const Graph& g) {
            std::vector<cudaGraphNodeType> all;
            for (const auto& [number, node] : g.nodes())
                all.push_back(node.type);
            return all;
        };
        const bool same = types(e.graph) == types(*found->second);
        if (info) {
            *info = {};
            info->result = same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
        }
        if (!same)
            return r.refuse(cudaErrorGraphExecUpdateFailure, "an update by a graph of another shape");
        cudaGraphExec_t updated = nullptr;
        if (const auto error = instantiate(r, &updated, *found->second); error != cudaSuccess)
            return error;
        e = std::move(r.executable_graphs.at(updated));
        r.executable_graphs.erase(updated);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    auto work = kernel_work(*params);
    return work ? set_in_executable(executable, node, cudaGraphNodeTypeKernel, std::move(*work))
                : remember(work.error());
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    return set_in_executable(executable, node, cudaGraphNodeTypeMemcpy, copies_work(*params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
    return set_in_executable(
        executable, node, cudaGraphNodeTypeMemcpy,
        copy_later({.destination = {to, bytes}, .source = {from, bytes}, .region = {bytes, 1}, .kind = kind}));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    return set_in_executable(executable, node, cudaGraphNodeTypeMemset, fill_work(*params));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
    if (!params || !params->fn)
        return remember(cudaErrorInvalidValue);
    return set_in_executable(executable, node, cudaGraphNodeTypeHost, host_work(*params));
}
