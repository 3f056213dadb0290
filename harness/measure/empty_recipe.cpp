#include "measure/empty_recipe.h"

#include "driver/library.h"
#include "embedded/measure_kernels.h"
#include "measure/timed_graph.h"

namespace cudabench::measure {

Expected<Timing, Failure> time_empty_recipe(gpu::Executor& executor, const Conditions& conditions) {
    const gpu::GpuLock::Exclusive alone(executor.lock());
    const gpu::Device& device = executor.device();
    const driver::Library library = driver::load_library(device.driver(), embedded::measure_kernels());
    const CUkernel empty = driver::find_kernel(device.driver(), library, "cudabench_empty");
    const TimedGraph graph(device, [&] { driver::launch(device.driver(), empty, 1, 1, device.stream(), {}); });

    auto timing = repeat(conditions, {}, [&]() -> Expected<double, Failure> {
        graph.launch();
        device.synchronize();
        return graph.seconds();
    });
    if (timing)
        timing->graph = true;
    return timing;
}

} // namespace cudabench::measure
