#include "executor/gpu/performance.h"

#include "driver/lost.h"
#include "executor/gpu/tensor_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace cudabench::gpu {
namespace {

/// As the recipe has it: to demangle the name that a hostile recipe gives can take any time and memory.
std::string shown(const std::string& name) {
    constexpr std::size_t longest = 200;
    return name.size() > longest ? name.substr(0, longest) + "..." : name;
}

} // namespace

std::string of_kernels(std::span<const std::string> kernels) {
    if (kernels.empty())
        return "";
    if (kernels.size() == 1)
        return ", kernel " + shown(kernels.front());
    std::vector<std::string> names;
    std::ranges::transform(kernels.first(std::min<std::size_t>(3, kernels.size())), std::back_inserter(names), shown);
    return fmt::format(", in one of the kernels {}{}", fmt::join(names, ", "), kernels.size() > 3 ? ", ..." : "");
}

Failure candidate_failure(const driver::DriverError& error, std::span<const std::string> kernels) {
    // Memory that the machine lacks is no fault of a candidate that stays within what it was told it has; what a launch
    // needs beyond that (local memory for all threads) is.
    const bool maps_memory = error.function() == "cuMemCreate";
    const bool machine =
        (error.result() == CUDA_ERROR_OUT_OF_MEMORY && maps_memory) || error.result() == CUDA_ERROR_ECC_UNCORRECTABLE;
    return {machine ? Stage::fault : Stage::launch, error.description() + of_kernels(kernels)};
}

Performance::Performance(GpuLock& lock, const Device& device, Program& program, Workspace& workspace, Seconds limit)
    : lock_(lock), device_(device), limit_(limit), performer_(device, program, workspace) {}

void Performance::begin_work() {
    if (at_work_)
        return;
    at_work_.emplace(lock_);
    performer_.begin();
}

Performance::~Performance() {
    if (!at_work_ || finished_ || driver::lost())
        return;
    try {
        static_cast<void>(join()); // an endless kernel makes the process lost, which is all that matters here
    } catch (const driver::DriverError&) {
        // so does a fault; and what could not be joined was never started
    }
}

void Performance::mark(CUevent start, CUevent end) {
    performer_.mark_start(start);
    end_mark_ = end;
}

template <typename Work> auto Performance::guarded(Work work) -> Expected<decltype(work()), Failure> {
    try {
        begin_work();
        return work();
    } catch (const driver::DriverError& error) {
        return candidate_failure(error, performer_.kernels());
    }
}

Expected<Done, Failure> Performance::wait_for(CUstream stream) {
    const driver::Event reached = driver::make_event(device_.driver());
    device_.driver().cuEventRecord(reached.get(), stream);
    const auto start = std::chrono::steady_clock::now();
    const auto waited = wait(device_, reached, limit_ - waited_);
    waited_ += std::chrono::steady_clock::now() - start;
    if (!waited)
        return Failure{waited.error().stage, waited.error().message + of_kernels(performer_.kernels())};
    return Done{};
}

Expected<Done, Failure> Performance::perform(std::span<const recipe::Operation> operations) {
    return guarded([&] {
        performer_.add(operations);
        return Done{};
    });
}

Expected<std::vector<std::byte>, Failure> Performance::answer(const recipe::CopyToHost& question) {
    std::vector<std::byte> bytes(question.region.row_bytes * question.region.rows);
    auto waited = guarded([&] { return wait_for(performer_.read(question, bytes)); });
    if (!waited)
        return waited.error();
    if (!*waited)
        return waited->error();
    return bytes;
}

Expected<std::uint64_t, Failure> Performance::answer(const recipe::CreateTexture& question) {
    return guarded([&] { return performer_.create_texture(question); });
}

Expected<std::uint64_t, Failure> Performance::answer(const recipe::ClusterOccupancy& question) {
    return guarded([&] { return performer_.cluster_occupancy(question); });
}

Expected<std::vector<std::byte>, Failure> Performance::answer(const recipe::TensorMap& question) const {
    try {
        return encode_tensor_map(device_.driver(), question);
    } catch (const driver::DriverError& error) {
        return Failure{Stage::contract, fmt::format("a tensor map that cannot be: {}", error.description())};
    }
}

Expected<Done, Failure> Performance::join() {
    performer_.end();
    if (end_mark_ != nullptr)
        device_.driver().cuEventRecord(end_mark_, device_.stream());
    return wait_for(device_.stream());
}

Expected<std::string, Failure> Performance::finish() {
    finished_ = true;
    auto text = joined_text();
    at_work_.reset();
    return text;
}

Expected<std::string, Failure> Performance::joined_text() {
    auto waited = guarded([&] { return join(); });
    if (!waited)
        return waited.error();
    if (!*waited)
        return waited->error();
    return guarded([&] {
        device_.synchronize(); // has nothing to wait for; makes the driver write device text
        return text_.text();
    });
}

} // namespace cudabench::gpu
