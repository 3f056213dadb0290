#include "executor/gpu/executor.h"

#include "executor/gpu/assigned_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace cudabench::gpu {

namespace {

/// What processes may take of a GPU, bytes: not what others, such as a display, and the driver need.
std::uint64_t shared_out(std::uint64_t memory_bytes) {
    return memory_bytes - memory_bytes / 16;
}

Expected<Gpu, Failure> assigned_gpu(const driver::Driver& driver) {
    const std::vector<Gpu> gpus = visible_gpus(driver);
    std::vector<std::string> uuids;
    std::ranges::transform(gpus, std::back_inserter(uuids), &Gpu::uuid);
    const auto index = choose_gpu(assigned_id(), uuids);
    return index ? Expected<Gpu, Failure>(gpus.at(*index)) : index.error();
}

} // namespace

Executor::Executor(const driver::Driver& driver, const Gpu& gpu, std::uint64_t memory)
    : lock_(gpu.uuid), share_(gpu.uuid, memory, shared_out(gpu.memory_bytes)), at_work_(std::in_place, lock_),
      device_(driver, gpu), range_(device_), poison_(device_), workspace_(device_, range_, poison_) {
    device_.synchronize();
    at_work_.reset();
}

Executor::~Executor() {
    at_work_.emplace(lock_);
}

Expected<std::unique_ptr<Executor>, Failure> Executor::create(std::uint64_t memory) {
    const auto driver = driver::load();
    if (!driver)
        return driver.error();
    try {
        const auto gpu = assigned_gpu(**driver);
        if (!gpu)
            return gpu.error();
        return std::unique_ptr<Executor>(new Executor(**driver, *gpu, memory));
    } catch (const driver::DriverError& error) {
        return Failure{Stage::fault, fmt::format("the GPU cannot be used: {}", error.what())};
    } catch (const std::system_error& error) {
        return Failure{Stage::fault, error.what()};
    }
}

std::unique_ptr<MemoryShare> Executor::share_of_memory(std::uint64_t bytes) const {
    return std::make_unique<MemoryShare>(description().uuid, bytes, shared_out(description().memory_bytes));
}

recipe::Workspace Executor::workspace() const {
    return {.base = range_.workspace(),
            .bytes = Workspace::limit_bytes,
            .span = AddressRange::workspace_span,
            .granularity = device_.page_bytes()};
}

std::uint64_t Executor::free_memory() const {
    return std::min(Workspace::limit_bytes, device_.free_bytes());
}

void Executor::start_recipe(PoisonPattern pattern, std::uint64_t seed) {
    workspace_.clear();
    workspace_.poison(pattern, seed);
}

void Executor::restart_recipe(const Program& program, PoisonPattern pattern, std::uint64_t seed) {
    program.restore_globals(device_.stream());
    workspace_.poison(pattern, seed);
}

Expected<std::string, Failure> Executor::perform(Program& program, const recipe::Recipe& recipe, Seconds limit) {
    Performance whole = performance(program, limit);
    if (const auto started = whole.perform(recipe.operations); !started)
        return started.error();
    return whole.finish();
}

void Executor::read(CUdeviceptr address, std::span<std::byte> bytes) const {
    device_.synchronize();
    if (!bytes.empty())
        device_.driver().cuMemcpyDtoHAsync(bytes.data(), address, bytes.size(), device_.stream());
    device_.synchronize();
}

void Executor::write(CUdeviceptr address, std::span<const std::byte> bytes) const {
    device_.synchronize();
    if (!bytes.empty())
        device_.driver().cuMemcpyHtoDAsync(address, bytes.data(), bytes.size(), device_.stream());
    device_.synchronize();
}

} // namespace cudabench::gpu
