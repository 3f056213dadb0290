#include "case/workbench.h"

#include "case/call.h"
#include "case/entry_points.h"
#include "case/live_answers.h"
#include "recorder/unsafe.h"

#include <algorithm>
#include <utility>

namespace cudabench {
namespace {

gpu::Placement placement_of(const Trial& trial) {
    return trial.at_end ? gpu::Placement::at_end : gpu::Placement::at_start;
}

} // namespace

Workbench::Workbench(const Task& task, const SuitePaths& paths, gpu::Executor& executor, const recorder::Limits& limits)
    : task_(task), paths_(paths), executor_(executor), limits_(limits) {}

void Workbench::trust() {
    trusted_ = true;
    if (buffers_)
        buffers_->keep_inputs_writable();
}

void Workbench::open(const Trial& trial) {
    const auto placement = placement_of(trial);
    const auto inputs = input_bytes(task_, *trial.shape);
    const auto outputs = output_bytes(task_, *trial.shape);
    shape_ = trial.shape;
    if (buffers_ && buffers_->take(inputs, outputs, placement))
        return;
    buffers_.reset(); // before the next take the same addresses
    buffers_.emplace(executor_.buffers(inputs, outputs, placement));
    if (trusted_)
        buffers_->keep_inputs_writable();
    free_bytes_ = executor_.free_memory();
}

void Workbench::generate(const Generator& generator, const Trial& trial) {
    const gpu::WritableInputs writable(*buffers_);
    draw_inputs(generator, trial);
}

void Workbench::fill(const Generator& generator, const Trial& trial) {
    const gpu::WritableInputs writable(*buffers_); // waits at its end, once for both
    draw_inputs(generator, trial);
    poison_outputs(trial.seed);
}

void Workbench::draw_inputs(const Generator& generator, const Trial& trial) const {
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
        generator.generate(input_draw(task_, trial, i), buffers_->inputs()[i].address, executor_.device().stream());
    }
}

void Workbench::poison_outputs(std::uint64_t seed) {
    buffers_->poison_outputs(executor_.poison(), gpu::PoisonPattern::not_a_number, seed);
}

std::vector<gpu::Seal> Workbench::start_seals() const {
    std::vector<gpu::Seal> seals;
    for (const gpu::Buffer& buffer : buffers_->outputs())
        seals.push_back(executor_.start_seal(buffer));
    return seals;
}

std::vector<gpu::Seal> Workbench::seal_outputs() const {
    std::vector<gpu::Seal> seals = start_seals();
    for (gpu::Seal& seal : seals)
        seal.close();
    return seals;
}

std::optional<std::vector<gpu::Seal>> Workbench::seal_intact_outputs() const {
    // One wait for both: beside an endless kernel of another process each takes its slice of the GPU's time.
    std::vector<gpu::Seal> seals = start_seals();
    if (!buffers_->slack_is_intact(executor_.poison()))
        return std::nullopt;
    for (gpu::Seal& seal : seals)
        seal.close();
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

recorder::RecordingAhead Workbench::begin_recording(const std::filesystem::path& module, const std::string& function,
                                                    const Trial& trial) const {
    return recorder::record_ahead(setup(), module, call(function, trial));
}

void Workbench::begin_reference(recorder::RecordingsAhead& recordings, const Trial& trial) const {
    const Trial performed = as_reference(trial);
    recordings.begin(setup(), paths_.reference, call(solve_function, performed));
    if (needs_magnitude(task_))
        recordings.begin(setup(), paths_.reference, call(magnitude_function, performed));
}

recipe::Call Workbench::call(const std::string& function, const Trial& trial) const {
    const Shape& shape = *trial.shape;
    return make_call(task_, shape, function,
                     executor_.addresses(input_bytes(task_, shape), output_bytes(task_, shape), placement_of(trial)));
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
            .free_bytes = buffers_ ? free_bytes_ : executor_.free_memory(),
            .limits = limits_,
            .unsafe = recorder::unsafe_requested()};
}

} // namespace cudabench
