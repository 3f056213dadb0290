#include "on_the_cpu.h"

#include "case/cpu_answers.h"
#include "device/described.h"
#include "recorder/record.h"
#include "recorder/unsafe.h"

#include <cuda.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cudabench::cpu {
namespace {

constexpr recipe::Workspace workspace{.base = 0x200000000000,
                                      .bytes = std::uint64_t{4} << 30,
                                      .span = std::uint64_t{64} << 30,
                                      .granularity = std::uint64_t{2} << 20};
constexpr std::uint64_t distance = std::uint64_t{16} << 30;

Program loaded(const std::string& module) {
    auto program = Program::load(module);
    if (!program)
        throw std::runtime_error(program.error().message);
    return std::move(*program);
}

} // namespace

OnTheCpu::OnTheCpu(const std::string& module) : module_(module), program_(loaded(module)) {}

void OnTheCpu::add(std::span<const std::byte> bytes, std::size_t size, bool writable) {
    const recipe::Address address = workspace.base + workspace.span + buffers_.size() * distance;
    memory_.map(address, size, writable, writable ? "output" : "input", 0x7FF8'4040,
                writable ? Contents::undefined : Contents::defined);
    std::ranges::copy(bytes, memory_.at(address, size));
    buffers_.push_back({address, size, writable});
}

std::string OnTheCpu::call(const std::string& function, const std::vector<std::int64_t>& dims, unsigned threads,
                           std::optional<Findings> watch, const std::vector<double>& params) {
    program_.place_globals(memory_);
    recorder::Setup setup{.recorder = RECORDER,
                          .device = device::h200(),
                          .workspace = workspace,
                          .free_bytes = workspace.bytes,
                          .limits = {},
                          .unsafe = recorder::unsafe_requested()};
    // Grids that are sized by them stay small.
    setup.device.attributes.at(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) = 8;
    const recipe::Call call{.function = function, .buffers = buffers_, .dims = dims, .params = params};
    const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call};
    How how;
    how.threads = threads;
    how.time = std::chrono::seconds(100);
    how.poison = 0x7FF8'4040;
    how.watch = watch;
    Performance performance(memory_, program_, how);
    CpuAnswers answers(performance, program_, hello);
    const recorder::Recording recording = recorder::record(setup, module_, call, answers);
    if (recording.failure)
        return recording.failure->message;
    const auto performed = answers.perform_rest(recording.recipe);
    return performed ? "" : performed.error().message;
}

} // namespace cudabench::cpu
