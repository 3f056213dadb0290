#include "examiner/performer.h"

#include "case/case.h"
#include "case/cpu_workbench.h"
#include "case/device_memory.h"
#include "case/suite_paths.h"
#include "case/workbench.h"
#include "inputs/generate.h"
#include "verify/poison_word.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace cudabench::examiner {
namespace {

class CpuPerformer : public Performer {
public:
    explicit CpuPerformer(std::filesystem::path recorder) : recorder_(std::move(recorder)) {}

    Expected<Performed, Failure> perform(const Task& task, const Trial& trial, const Function& function,
                                         const How& how) override {
        if (loaded_ != function.module) {
            auto program = cpu::Program::load(function.module);
            if (!program)
                return program.error();
            program_.emplace(std::move(*program));
            loaded_ = function.module;
        }
        CpuWorkbench bench(task, recorder_);
        bench.open(trial);
        const auto done = bench.perform(*program_, function.module, function.name,
                                        {.threads = std::max(1U, std::thread::hardware_concurrency()),
                                         .time = how.limit,
                                         .poison = verify::poison_word(trial.seed),
                                         .watch = how.watched ? std::optional(cpu::Findings{}) : std::nullopt});
        if (done.failure)
            return *done.failure;
        Performed performed{.outputs = {}, .counts = done.counts};
        for (std::size_t i = 0; i < task.outputs.size(); ++i) {
            const auto bytes = bench.output(i);
            performed.outputs.emplace_back(bytes.begin(), bytes.end());
        }
        return performed;
    }

private:
    std::filesystem::path recorder_;
    std::filesystem::path loaded_; ///< the module that program_ is of
    std::optional<cpu::Program> program_;
};

class GpuPerformer : public Performer {
public:
    GpuPerformer(std::filesystem::path recorder, gpu::Executor& executor)
        : recorder_(std::move(recorder)), executor_(executor) {}

    Expected<Performed, Failure> perform(const Task& task, const Trial& trial, const Function& function,
                                         const How& how) override {
        const auto share = executor_.share_of_memory(gpu::Executor::context_bytes + device_memory(task, *trial.shape));
        const gpu::DeviceWork work = executor_.work();
        auto program = executor_.load(function.module);
        if (!program)
            return program.error();
        const Suite suite{.task = task,
                          .cases = {},
                          .name = "examiner",
                          .reference_module = function.module,
                          .recorder = recorder_,
                          .results = {},
                          .depth = 0};
        const SuitePaths paths(suite);
        const Generator generator(executor_.device().driver());
        Workbench bench(task, paths, executor_);
        bench.open(trial);
        executor_.start_recipe(gpu::PoisonPattern::not_a_number, trial.seed);
        bench.fill(generator, trial);
        executor_.restart_recipe(*program, gpu::PoisonPattern::not_a_number, trial.seed);
        gpu::Performance performance = executor_.performance(*program, how.limit);
        const recorder::Recording recording =
            bench.record_and_start(performance, *program, function.module, function.name);
        if (recording.failure)
            return *recording.failure;
        if (const auto finished = performance.finish(); !finished)
            return finished.error();
        Performed performed;
        for (const gpu::Buffer& buffer : bench.buffers().outputs()) {
            performed.outputs.emplace_back(buffer.bytes);
            if (buffer.bytes != 0)
                executor_.read(buffer.address, performed.outputs.back());
        }
        return performed;
    }

private:
    std::filesystem::path recorder_;
    gpu::Executor& executor_;
};

} // namespace

std::unique_ptr<Performer> performer_on_cpu(std::filesystem::path recorder) {
    return std::make_unique<CpuPerformer>(std::move(recorder));
}

std::unique_ptr<Performer> performer_on_gpu(std::filesystem::path recorder, gpu::Executor& executor) {
    return std::make_unique<GpuPerformer>(std::move(recorder), executor);
}

} // namespace cudabench::examiner
