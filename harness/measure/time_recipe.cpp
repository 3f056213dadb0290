#include "measure/time_recipe.h"

#include "driver/lost.h"
#include "measure/timed_graph.h"

#include <optional>

namespace cudabench::measure {
namespace {

/// A recipe as a graph, with what its performance needs.
class RecipeGraph {
public:
    RecipeGraph(gpu::Executor& executor, gpu::Program& program, const recipe::Recipe& recipe)
        : device_(executor.device()), performer_(device_, program, executor.workspace_memory()), graph_(device_, [&] {
              performer_.begin();
              performer_.add(recipe.operations);
              performer_.end();
          }) {}

    Expected<double, Failure> time(gpu::Seconds limit) const {
        const gpu::DeviceText text;
        graph_.launch();
        if (const auto done = gpu::wait(device_, graph_.end(), limit); !done)
            return Failure{done.error().stage, done.error().message + gpu::of_kernels(performer_.kernels())};
        device_.synchronize();
        return graph_.seconds();
    }

    [[nodiscard]] const std::vector<std::string>& kernels() const noexcept { return performer_.kernels(); }

private:
    const gpu::Device& device_;
    gpu::Performer performer_;
    TimedGraph graph_;
};

/// None if the recipe cannot be captured.
std::unique_ptr<RecipeGraph> capture(gpu::Executor& executor, gpu::Program& program, const recipe::Recipe& recipe) {
    try {
        return std::make_unique<RecipeGraph>(executor, program, recipe);
    } catch (const driver::DriverError&) {
        if (driver::lost())
            throw;
        return nullptr;
    }
}

Expected<Timing, Failure> time_graph(const RecipeGraph& graph, const Conditions& conditions, const Around& around,
                                     gpu::Seconds limit) {
    try {
        auto timing = repeat(conditions, around, [&] { return graph.time(limit); });
        if (timing)
            timing->graph = true;
        return timing;
    } catch (const driver::DriverError& error) {
        return gpu::candidate_failure(error, graph.kernels());
    }
}

/// Between two events of the device's stream, started operation by operation.
Expected<Timing, Failure> time_directly(gpu::Executor& executor, const Conditions& conditions, gpu::Program& program,
                                        const Interaction& interaction, const Around& around, gpu::Seconds limit) {
    const driver::Driver& driver = executor.device().driver();
    const driver::Event start = driver::make_timing_event(driver);
    const driver::Event end = driver::make_timing_event(driver);
    const auto once = [&]() -> Expected<double, Failure> {
        gpu::Performance performance = executor.performance(program, limit);
        performance.mark(start.get(), end.get());
        if (const auto performed = interaction(performance); !performed)
            return performed.error();
        if (const auto finished = performance.finish(); !finished)
            return finished.error();
        return driver::elapsed_seconds(driver, start, end);
    };
    try {
        return repeat(conditions, around, once);
    } catch (const driver::DriverError& error) {
        return gpu::candidate_failure(error, {});
    }
}

} // namespace

Expected<Timing, Failure> time_recipe(gpu::Executor& executor, const Conditions& conditions, gpu::Program& program,
                                      const recipe::Recipe& recipe, const Around& around, gpu::Seconds limit) {
    const gpu::GpuLock::Exclusive alone(executor.lock());
    try {
        if (const auto graph = capture(executor, program, recipe))
            return time_graph(*graph, conditions, around, limit);
    } catch (const driver::DriverError& error) {
        return gpu::candidate_failure(error, {});
    }
    return time_directly(
        executor, conditions, program,
        [&](gpu::Performance& performance) { return performance.perform(recipe.operations); }, around, limit);
}

Expected<Timing, Failure> time_interaction(gpu::Executor& executor, const Conditions& conditions, gpu::Program& program,
                                           const Interaction& interaction, const Around& around, gpu::Seconds limit) {
    const gpu::GpuLock::Exclusive alone(executor.lock());
    auto timing = time_directly(executor, conditions, program, interaction, around, limit);
    if (timing)
        timing->host_gaps = true;
    return timing;
}

} // namespace cudabench::measure
