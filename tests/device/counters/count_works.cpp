// count_works: counts every known work and prints a JSON object of them; count_works <name>: only performs that one,
// for another profiler to count, as a graph where it is one. Exit codes: 0 done, 1 not counted, 2 unknown work, 77 no
// GPU.
#include "counted_work.h"
#include "counters/profiler.h"
#include "executor/gpu/executor.h"
#include "measure/cold_cache.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace cudabench;
using namespace cudabench::counters;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int perform(const gpu::Device& device, const std::string& wanted) {
    const auto work = std::ranges::find(counted_works(), wanted, &CountedWork::name);
    if (work == counted_works().end()) {
        fmt::print(stderr, "there is no work called {}\n", wanted);
        return 2;
    }
    const measure::ColdCache cache(device);
    const WorkPerformer performer(device);
    cache.sweep();
    if (work->graph)
        performer.perform_graph(*work);
    else
        performer.perform(*work);
    return 0;
}

int count_all(const gpu::Device& device) {
    const measure::ColdCache cache(device);
    const WorkPerformer performer(device);
    const double start = now();
    auto profiler = Profiler::create(device);
    if (!profiler) {
        fmt::print(stderr, "{}\n", profiler.error().message);
        return 1;
    }
    nlohmann::ordered_json works;
    works["set_up_seconds"] = now() - start;
    works["passes"] = (*profiler)->passes(true);
    for (const CountedWork& work : counted_works()) {
        const double begin = now();
        const auto counts = (*profiler)->count({.prepare = [&] { cache.sweep(); },
                                                .perform = [&]() -> Expected<Done, Failure> {
                                                    performer.perform(work);
                                                    return Done{};
                                                }});
        if (!counts) {
            fmt::print(stderr, "{}: {}\n", work.name, counts.error().message);
            return 1;
        }
        auto& json = works["works"][work.name];
        for (const auto& [quantity, value] : counts->values)
            json[std::string(name(quantity))] = value;
        for (const auto& [quantity, value] : work.operations)
            json["known"][std::string(name(quantity))] = value;
        json["counting_seconds"] = now() - begin;
    }
    fmt::print("{}\n", works.dump(1));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const auto executor = gpu::Executor::create();
    if (!executor) {
        fmt::print(stderr, "skipped: {}\n", executor.error().message);
        return 77;
    }
    const gpu::GpuLock::Exclusive alone((*executor)->lock());
    return argc > 1 ? perform((*executor)->device(), argv[1]) : count_all((*executor)->device());
}
