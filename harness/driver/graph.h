#pragma once

#include "driver/owned.h"

namespace cudabench::driver {

using Graph = Owned<CUgraph, &Driver::cuGraphDestroy>;
using GraphExec = Owned<CUgraphExec, &Driver::cuGraphExecDestroy>;

inline GraphExec instantiate(const Driver& driver, const Graph& graph) {
    CUgraphExec exec = nullptr;
    driver.cuGraphInstantiate(&exec, graph.get(), 0);
    return {driver, exec};
}

} // namespace cudabench::driver
