#include "case/cpu_workbench.h"

#include "case/call.h"
#include "case/cpu_answers.h"
#include "case/stopwatch.h"
#include "device/described.h"
#include "inputs/generate.h"
#include "recorder/unsafe.h"
#include "verify/poison_word.h"

#include <cuda.h>

#include <utility>

namespace cudabench {
namespace {

/// Addresses as on a GPU (executor/gpu/address_range.h).
constexpr recipe::Workspace workspace{.base = 0x200000000000,
                                      .bytes = std::uint64_t{4} << 30,
                                      .span = std::uint64_t{64} << 30,
                                      .granularity = std::uint64_t{2} << 20};
constexpr std::uint64_t buffer_distance = std::uint64_t{16} << 30;
constexpr std::uint64_t buffer_alignment = 16;

/// A GPU as host code may believe it to be, but for its multiprocessors: grids that are sized by them stay small.
device::Description described_device() {
    constexpr int multiprocessors = 8;
    device::Description device = device::h200();
    device.attributes.at(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) = multiprocessors;
    return device;
}

} // namespace

CpuWorkbench::CpuWorkbench(const Task& task, std::filesystem::path recorder, const recorder::Limits& limits)
    : task_(task), recorder_(std::move(recorder)), limits_(limits) {}

void CpuWorkbench::open(const Trial& trial) {
    memory_.clear();
    inputs_.clear();
    outputs_.clear();
    shape_ = trial.shape;
    const std::uint32_t poison = verify::poison_word(trial.seed);
    recipe::Address page = workspace.base + workspace.span;
    const auto map = [&](std::uint64_t bytes, bool writable, const std::string& called) {
        // Against the end of a page or its start, as on a GPU: what depends on the alignment shows here too.
        const std::uint64_t from_end = (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
        const recipe::Address address = trial.at_end ? page + buffer_distance / 2 - from_end : page;
        page += buffer_distance;
        if (bytes != 0)
            memory_.map(address, bytes, writable, called, poison,
                        writable ? cpu::Contents::undefined : cpu::Contents::defined);
        return Buffer{address, bytes};
    };
    const std::vector<std::uint64_t> sizes = input_bytes(task_, *trial.shape);
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
        inputs_.push_back(map(sizes[i], false, task_.inputs[i].name));
        if (sizes[i] != 0)
            generate_on_host(input_draw(task_, trial, i), {memory_.at(inputs_.back().address, sizes[i]), sizes[i]});
    }
    const std::vector<std::uint64_t> written = output_bytes(task_, *trial.shape);
    for (std::size_t i = 0; i < task_.outputs.size(); ++i)
        outputs_.push_back(map(written[i], true, task_.outputs[i].name));
}

CpuWorkbench::Performed CpuWorkbench::perform(cpu::Program& program, const std::filesystem::path& module,
                                              const std::string& function, const cpu::How& how) {
    program.place_globals(memory_);
    const recorder::Setup setup{.recorder = recorder_,
                                .device = described_device(),
                                .workspace = workspace,
                                .free_bytes = workspace.bytes,
                                .limits = limits_,
                                .unsafe = recorder::unsafe_requested()};
    const recipe::Call call = make_call(task_, *shape_, function, addresses());
    const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call};
    cpu::Performance performance(memory_, program, how);
    CpuAnswers answers(performance, program, hello);

    Performed done{
        .recording = recorder::record(setup, module, call, answers), .failure = {}, .printed = {}, .counts = {}};
    done.printed = done.recording.output.substr(0, 4096);
    done.failure = done.recording.failure;
    if (done.failure)
        return done;
    const Stopwatch watch(done.seconds);
    if (const auto performed = answers.perform_rest(done.recording.recipe); !performed)
        done.failure = performed.error();
    else if (const auto printed = performance.finish(); printed && !printed->empty())
        done.printed = *printed;
    done.counts = performance.counts();
    return done;
}

std::span<const std::byte> CpuWorkbench::input(std::size_t index) const {
    return bytes_of(inputs_.at(index));
}

std::span<const std::byte> CpuWorkbench::output(std::size_t index) const {
    return bytes_of(outputs_.at(index));
}

std::span<const std::byte> CpuWorkbench::bytes_of(const Buffer& buffer) const {
    if (buffer.bytes == 0)
        return {};
    return {memory_.at(buffer.address, buffer.bytes), buffer.bytes};
}

std::vector<recipe::Address> CpuWorkbench::addresses() const {
    std::vector<recipe::Address> all;
    for (const auto* const buffers : {&inputs_, &outputs_})
        for (const Buffer& buffer : *buffers)
            all.push_back(buffer.address);
    return all;
}

} // namespace cudabench
