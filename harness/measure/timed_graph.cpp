#include "measure/timed_graph.h"

namespace cudabench::measure {
namespace {

/// Ends a capture in any case, or the stream stays unusable.
class Capture {
public:
    explicit Capture(const gpu::Device& device) : device_(device) {
        // Relaxed: staging memory may be allocated meanwhile.
        device_.driver().cuStreamBeginCapture(device_.stream(), CU_STREAM_CAPTURE_MODE_RELAXED);
    }
    ~Capture() {
        CUgraph abandoned = nullptr;
        if (!ended_ && device_.driver().cuStreamEndCapture.result(device_.stream(), &abandoned) == CUDA_SUCCESS)
            device_.driver().cuGraphDestroy.result(abandoned);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    driver::Graph end() {
        CUgraph graph = nullptr;
        ended_ = true;
        device_.driver().cuStreamEndCapture(device_.stream(), &graph);
        return {device_.driver(), graph};
    }

private:
    const gpu::Device& device_;
    bool ended_ = false;
};

} // namespace

TimedGraph::TimedGraph(const gpu::Device& device, const std::function<void()>& start_work)
    : device_(device), start_(driver::make_timing_event(device.driver())),
      end_(driver::make_timing_event(device.driver())) {
    const driver::Driver& driver = device_.driver();
    Capture capture(device_);
    // External: a node of the graph, not a dependency inside it.
    driver.cuEventRecordWithFlags(start_.get(), device_.stream(), CU_EVENT_RECORD_EXTERNAL);
    start_work();
    driver.cuEventRecordWithFlags(end_.get(), device_.stream(), CU_EVENT_RECORD_EXTERNAL);
    graph_ = driver::instantiate(driver, capture.end());
    driver.cuGraphUpload(graph_.get(), device_.stream());
}

void TimedGraph::launch() const {
    device_.driver().cuGraphLaunch(graph_.get(), device_.stream());
}

double TimedGraph::seconds() const {
    return driver::elapsed_seconds(device_.driver(), start_, end_);
}

} // namespace cudabench::measure
