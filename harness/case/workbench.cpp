#include "case/workbench.h"

#include "case/call.h"
#include "case/live_answers.h"
#include "case/no_answers.h"
#include "recorder/unsafe.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cudabench {
namespace {

using namespace std::chrono_literals;

gpu::Placement placement_of(const Trial& trial) {
    return trial.at_end ? gpu::Placement::at_end : gpu::Placement::at_start;
}

/// Several are recorded at once, and kept.
void limit_ahead(recorder::Limits& limits) {
    limits.host_time = std::min<std::chrono::milliseconds>(limits.host_time, 1s);
    limits.host_memory_bytes = std::min(limits.host_memory_bytes, std::uint64_t{256} << 20);
    limits.recipe.bytes = std::min(limits.recipe.bytes, std::uint64_t{16} << 20);
}

} // namespace

Workbench::Workbench(const Task& task, const SuitePaths& paths, gpu::Executor& executor, const recorder::Limits& limits)
    : task_(task), paths_(paths), executor_(executor), limits_(limits) {}

void Workbench::open(const Trial& trial) {
    const auto placement = placement_of(trial);
    const auto inputs = input_bytes(task_, *trial.shape);
    const auto outputs = output_bytes(task_, *trial.shape);
    shape_ = trial.shape;
    if (buffers_ && buffers_->take(inputs, outputs, placement))
        return;
    buffers_.reset(); // before the next take the same addresses
    buffers_.emplace(executor_.buffers(inputs, outputs, placement));
    free_bytes_ = executor_.free_memory();
}

void Workbench::generate(const Generator& generator, const Trial& trial) {
    const gpu::WritableInputs writable(*buffers_);
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
        generator.generate(input_draw(task_, trial, i), buffers_->inputs()[i].address, executor_.device().stream());
    }
}

void Workbench::poison_outputs(std::uint64_t seed) {
    buffers_->poison_outputs(executor_.poison(), gpu::PoisonPattern::not_a_number, seed);
}

std::vector<gpu::Seal> Workbench::seal_outputs() const {
    std::vector<gpu::Seal> seals;
    for (const gpu::Buffer& buffer : buffers_->outputs())
        seals.push_back(executor_.seal(buffer));
    return seals;
}

std::vector<driver::DeviceMemory> Workbench::copy_outputs() const {
    const driver::Driver& driver = executor_.device().driver();
    std::vector<driver::DeviceMemory> copies;
    for (const gpu::Buffer& buffer : buffers_->outputs()) {
        copies.push_back(driver::allocate(driver, std::max<std::uint64_t>(1, buffer.bytes)));
        if (buffer.bytes != 0)
            driver.cuMemcpyDtoDAsync(copies.back().get(), buffer.address, buffer.bytes, executor_.device().stream());
    }
    return copies;
}

recorder::Recording Workbench::record_and_start(gpu::Performance& performance, const gpu::Program& program,
                                                const std::filesystem::path& module, const std::string& function,
                                                std::optional<recorder::Recording> ahead) const {
    const recorder::Setup how = setup();
    const recipe::Call call = make_call(task_, *shape_, function, addresses());
    const recipe::Hello hello{how.device, how.workspace, how.free_bytes, how.limits.recipe, call};
    LiveAnswers answers(performance, program, hello);
    recorder::Recording recording = ahead ? std::move(*ahead) : recorder::record(how, module, call, answers);
    if (!recording.failure)
        if (const auto started = answers.perform_rest(recording.recipe); !started)
            recording.failure = started.error();
    return recording;
}

std::future<std::optional<recorder::Recording>>
Workbench::begin_recording(const std::filesystem::path& module, const std::string& function, const Trial& trial) const {
    const Shape& shape = *trial.shape;
    const auto addresses =
        executor_.addresses(input_bytes(task_, shape), output_bytes(task_, shape), placement_of(trial));
    recorder::Setup how = setup();
    limit_ahead(how.limits);
    return std::async(std::launch::async, [how, module, call = make_call(task_, shape, function, addresses)] {
        NoAnswers answers({Stage::contract, "asks for what is known only when it is performed"});
        auto recording = recorder::record(how, module, call, answers);
        return recording.failure ? std::nullopt : std::optional(std::move(recording));
    });
}

std::vector<recipe::Address> Workbench::addresses() const {
    std::vector<recipe::Address> all;
    for (const auto buffers : {buffers_->inputs(), buffers_->outputs()})
        for (const gpu::Buffer& buffer : buffers)
            all.push_back(buffer.address);
    return all;
}

recorder::Setup Workbench::setup() const {
    return {.recorder = paths_.recorder,
            .device = executor_.description(),
            .workspace = executor_.workspace(),
            .free_bytes = free_bytes_,
            .limits = limits_,
            .unsafe = recorder::unsafe_requested()};
}

} // namespace cudabench
