#include "worker/worker.h"

#include "case/cpu_grading.h"
#include "case/grade.h"
#include "case/suite_paths.h"
#include "case/trial.h"
#include "case/workbench.h"
#include "driver/lost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace cudabench::worker {
namespace {

using Json = nlohmann::json;

std::size_t index_of(const Task& task, const std::string& scale) {
    const auto at = std::ranges::find(task.scales, scale, &Shape::name);
    if (at == task.scales.end())
        throw std::runtime_error(fmt::format("scale: {} has none that is called {}", task.name, scale));
    return static_cast<std::size_t>(at - task.scales.begin());
}

} // namespace

Worker::Worker(const std::filesystem::path& tasks) : tasks_(tasks) {}

std::optional<Failure> Worker::prepare_gpu() {
    if (const auto choice = executor_choice(); choice && *choice == ExecutorChoice::cpu)
        return Failure{Stage::not_run, "CUDABENCH_EXECUTOR asks for the CPU"};
    auto created = gpu::Executor::create();
    if (!created)
        return created.error();
    executor_ = std::move(*created);
    return std::nullopt;
}

std::optional<std::string> Worker::reply(const std::string& line) {
    Json reply = Json::object();
    try {
        const Request request = read_request(Json::parse(line, nullptr, false));
        if (request.prepare) {
            prepare(request);
            return std::nullopt;
        }
        reply = answer(request);
    } catch (const std::exception& error) {
        reply["error"] = error.what();
    }
    reply["healthy"] = !driver::lost();
    return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::string> Worker::device() const {
    return executor_ ? std::optional(executor_->description().name) : std::nullopt;
}

Suite Worker::suite(const Task& task, std::span<const Case> cases) const {
    return {.task = task,
            .cases = cases,
            .name = "grade",
            .reference_module = tasks_.reference(task),
            .recorder = "cudabench_recorder", // beside this program
            .results = {},
            .depth = 0};
}

void Worker::prepare(const Request& request) {
    const Task task = tasks_.task(request.task);
    const Shape& scale = task.scales[index_of(task, request.scale)];
    if (!executor_ || request.options.stop_after < Stage::edge) // without a GPU nothing is recorded ahead
        return;
    const SuitePaths paths(suite(task, {}));
    const gpu::DeviceWork work = executor_->work();
    const Workbench bench(task, paths, *executor_);
    for (const Trial& trial : plan_trials(task, scale, 0, request.options))
        bench.begin_reference(reference_, trial);
}

Json Worker::answer(const Request& request) {
    const Task wanted = tasks_.task(request.task);
    Case graded = request.graded;
    graded.scale = index_of(wanted, request.scale);
    const Suite suite = this->suite(wanted, {&graded, 1});
    GradeOptions options = request.options;
    options.executor = executor_.get();
    options.reference = &reference_;
    const std::string text = request.count
                                 ? to_json(suite, graded, count(suite, graded, options), request.source_sha256)
                                 : to_json(suite, graded, cudabench::grade(suite, graded, SuitePaths(suite), options));
    return {{request.count ? "counted" : "result", Json::parse(text)}};
}

CountedResult Worker::count(const Suite& suite, const Case& counted, const GradeOptions& options) {
    if (!executor_) {
        CountedResult result;
        result.failure = Failure{Stage::not_run, "there is no GPU whose counters could count"};
        return result;
    }
    if (!counting_)
        counting_.emplace(*executor_);
    return counting_->count(suite, counted, SuitePaths(suite), options.seed.value(), options);
}

} // namespace cudabench::worker
