#pragma once

#include "recipe/operation.h"
#include "runtime/api.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cudabench::runtime {

struct Recording;

/// What an API function does on a stream, to be done now or later. Holds all that it needs.
using Work = std::function<cudaError_t(Recording&, recipe::StreamId)>;

/// A graph as host code makes it: work in an order that its dependencies admit. A recipe has no graphs; each launch of
/// one records its work anew.
class Graph {
public:
    struct Node {
        cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        recipe::StreamId stream = 0; ///< that it was captured from; 0 for one added by hand
        Work work;
        std::set<std::size_t> after; ///< nodes, by number
    };

    /// The number of the new node.
    std::size_t add(cudaGraphNodeType type, recipe::StreamId stream, Work work, std::set<std::size_t> after = {});

    [[nodiscard]] std::map<std::size_t, Node>& nodes() { return nodes_; }
    [[nodiscard]] const std::map<std::size_t, Node>& nodes() const { return nodes_; }
    /// Numbers of the nodes, each after those that it depends on; as added where that is open. Less than all if there
    /// is a circle.
    [[nodiscard]] std::vector<std::size_t> order() const;

private:
    std::map<std::size_t, Node> nodes_;
};

/// A graph ready to be launched, and the streams that stand for those that it was captured from.
struct ExecutableGraph {
    Graph graph;
    std::vector<std::size_t> order;
    std::optional<recipe::StreamId> origin; ///< replaced by the stream of the launch
    std::map<recipe::StreamId, recipe::StreamId> streams;
};

/// A capture that goes on.
struct Capture {
    cudaGraph_t handle = nullptr;
    Graph* graph = nullptr;
    recipe::StreamId origin = 0;
};

} // namespace cudabench::runtime
