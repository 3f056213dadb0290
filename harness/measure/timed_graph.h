#pragma once

#include "driver/graph.h"
#include "driver/stream.h"
#include "executor/gpu/device.h"

#include <functional>

namespace cudabench::measure {

/// Work captured into a graph between two event records of the same graph, so that their difference holds neither the
/// launch nor anything before.
class TimedGraph {
public:
    /// Captures what `start_work` starts in the device's stream and streams that fork from it and join it. Throws
    /// driver::DriverError, with nothing captured, if something in it cannot be captured.
    TimedGraph(const gpu::Device& device, const std::function<void()>& start_work);

    /// Starts the work in the device's stream.
    void launch() const;
    [[nodiscard]] const driver::Event& end() const noexcept { return end_; }
    /// Seconds of the last launch, whose end was reached.
    [[nodiscard]] double seconds() const;

private:
    const gpu::Device& device_;
    driver::Event start_;
    driver::Event end_;
    driver::GraphExec graph_;
};

} // namespace cudabench::measure
