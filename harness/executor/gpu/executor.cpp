#include "executor/gpu/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace cudabench::gpu {

Executor::Executor(const driver::Driver& driver)
    : device_(driver), lock_(device_.description().uuid), range_(device_), poison_(device_),
      workspace_(device_, range_, poison_) {}

Expected<std::unique_ptr<Executor>, Failure> Executor::create() {
    const auto driver = driver::load();
    if (!driver)
        return driver.error();
    try {
        return std::unique_ptr<Executor>(new Executor(**driver));
    } catch (const driver::DriverError& error) {
        return Failure{Stage::fault, fmt::format("the GPU cannot be used: {}", error.what())};
    } catch (const std::system_error& error) {
        return Failure{Stage::fault, error.what()};
    }
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
