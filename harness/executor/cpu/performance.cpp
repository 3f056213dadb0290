#include "executor/cpu/performance.h"

#include "executor/cpu/windows.h"
#include "outcome/harmless_text.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>
#include <variant>

namespace cudabench::cpu {
namespace {

constexpr std::uint64_t grid_workspace_bytes = 256;

struct Late {};

/// Throws Late.
void check(const Budget& budget) {
    if (std::chrono::steady_clock::now() > budget.deadline)
        throw Late();
}

/// Calls `work(row's address, number)` for each row of a region, of which there can be billions. Throws Late.
template <typename Work>
void each_row(const Budget& budget, Address address, std::uint64_t pitch, const recipe::Region& region, Work work) {
    constexpr std::uint64_t rows_between_looks = 4096;
    for (std::uint64_t row = 0; region.row_bytes != 0 && row < region.rows; ++row) {
        if (row % rows_between_looks == 0)
            check(budget);
        work(address + row * pitch, row);
    }
}

Failure too_late() {
    return {Stage::launch, "copies, fills and allocations did not end within the time limit"};
}

} // namespace

Performance::Performance(Memory& memory, Program& program, const How& how)
    : memory_(memory), program_(program), images_(memory), how_(how) {
    if (how.watch) {
        memory_.watch(how.watch->races);
        watched_ = std::make_unique<Watched>(*how.watch);
    }
    budget_.warp_steps = how.warp_steps;
    budget_.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(how.time);
}

Expected<Done, Failure> Performance::perform(std::span<const recipe::Operation> operations) {
    try {
        for (const recipe::Operation& operation : operations) {
            check(budget_);
            if (auto done = std::visit([this](const auto& any) { return start(any); }, operation); !done)
                return done;
        }
    } catch (const Late&) {
        return too_late();
    } catch (const std::out_of_range& error) { // a copy from or to memory that was released
        return Failure{Stage::launch, fmt::format("illegal memory access: {}", error.what())};
    } catch (const std::bad_alloc&) {
        return Failure{Stage::fault, "this machine has too little memory to perform the recipe"};
    }
    return Done{};
}

Address Performance::address_of(const recipe::Place& place) const {
    if (const auto* address = std::get_if<recipe::Address>(&place))
        return *address;
    if (const auto* position = std::get_if<recipe::InArray>(&place))
        return images_.address(*position);
    const auto& symbol = std::get<recipe::Symbol>(place);
    const auto global = program_.global(symbol.name);
    if (!global)
        throw std::out_of_range(fmt::format("the device code has no variable {}", symbol.name));
    return global->address + symbol.offset;
}

std::uint64_t Performance::pitch_of(const recipe::Place& place, std::uint64_t asked) const {
    const auto* const position = std::get_if<recipe::InArray>(&place);
    return position == nullptr ? asked : images_.array(position->array).pitch;
}

Performance::Result Performance::start(const recipe::Allocate& operation) {
    memory_.map(operation.address, operation.bytes, true,
                fmt::format("the candidate's allocation of {} bytes", operation.bytes), how_.poison,
                Contents::undefined);
    return Done{};
}

Performance::Result Performance::start(const recipe::Release& operation) {
    memory_.unmap(operation.address);
    return Done{};
}

Performance::Result Performance::start(const recipe::AllocateArray& operation) {
    images_.allocate(operation, how_.poison);
    return Done{};
}

Performance::Result Performance::start(const recipe::CreateTexture& operation) {
    const auto handle = images_.create(operation);
    if (!handle)
        return handle.error();
    return Done{};
}

Performance::Result Performance::start(const recipe::Launch& operation) {
    const auto code = program_.kernel(operation.kernel);
    if (!code)
        return code.error();
    const recipe::Extent& cluster = operation.cluster;
    if (cluster.x * cluster.y * cluster.z > 1 || (*code)->cluster_blocks > 1)
        return Failure{
            Stage::not_run,
            fmt::format("needs a GPU: the CPU executor has no clusters of blocks (kernel {})", operation.kernel)};
    const auto differs = [&] {
        return Failure{Stage::contract, fmt::format("the PTX of kernel {} has other parameters than its machine code",
                                                    operation.kernel)};
    };
    std::vector<std::byte> parameters((*code)->parameter_bytes);
    if (operation.arguments.size() != (*code)->parameter_offsets.size())
        return differs();
    for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
        const std::vector<std::byte>& argument = operation.arguments[i];
        const std::uint32_t offset = (*code)->parameter_offsets[i];
        if (offset + argument.size() > parameters.size())
            return differs();
        std::memcpy(parameters.data() + offset, argument.data(), argument.size());
    }
    memory_.map(grid_window, grid_workspace_bytes, true, "the grid's workspace", 0);
    Grid grid;
    grid.code = *code;
    grid.memory = &memory_;
    grid.images = &images_;
    grid.kernel = operation.kernel;
    grid.grid = operation.grid;
    grid.block = operation.block;
    grid.dynamic_shared_bytes = operation.dynamic_shared_bytes;
    grid.cooperative = operation.cooperative;
    grid.parameters = parameters;
    grid.workspace = operation.cooperative ? grid_window : 0;
    grid.budget = &budget_;
    grid.watched = watched_.get();
    if (watched_ != nullptr)
        watched_->order_all();
    auto done = run_grid(grid, how_.threads);
    memory_.unmap(grid_window);
    counts_ += grid.counts;
    printed_ += harmless_text(grid.printed());
    printed_.resize(std::min<std::size_t>(printed_.size(), 4096));
    return done;
}

Performance::Result Performance::start(const recipe::Fill& operation) {
    each_row(budget_, address_of(operation.destination), operation.pitch, operation.region,
             [&](Address row, std::uint64_t) {
                 std::memset(memory_.at(row, operation.region.row_bytes), operation.value, operation.region.row_bytes);
                 note_write(row, operation.region.row_bytes);
             });
    return Done{};
}

Performance::Result Performance::start(const recipe::CopyToDevice& operation) {
    const std::uint64_t bytes = operation.region.row_bytes;
    each_row(budget_, address_of(operation.destination), pitch_of(operation.destination, operation.pitch),
             operation.region, [&](Address row, std::uint64_t number) {
                 std::memcpy(memory_.at(row, bytes), operation.data.data() + number * bytes, bytes);
                 note_write(row, bytes);
             });
    return Done{};
}

Performance::Result Performance::start(const recipe::CopyOnDevice& operation) {
    const std::uint64_t bytes = operation.region.row_bytes;
    const Address source = address_of(operation.source);
    const std::uint64_t source_pitch = pitch_of(operation.source, operation.source_pitch);
    each_row(budget_, address_of(operation.destination), pitch_of(operation.destination, operation.destination_pitch),
             operation.region, [&](Address row, std::uint64_t number) {
                 const Address from = source + number * source_pitch;
                 std::memmove(memory_.at(row, bytes), memory_.at(from, bytes), bytes);
                 note_read(from, bytes);
                 note_write(row, bytes);
             });
    return Done{};
}

void Performance::note_write(Address address, std::uint64_t bytes) {
    if (watched_ == nullptr)
        return;
    memory_.mark_written(address, bytes);
    const Sectors sectors = memory_.touch(address, bytes, true);
    counts_.add(Quantity::global_write_bytes, bytes);
    counts_.add(Quantity::global_write_sectors, sectors.all);
    counts_.add(Quantity::unique_write_sectors, sectors.fresh);
}

void Performance::note_read(Address address, std::uint64_t bytes) {
    if (watched_ == nullptr)
        return;
    const Sectors sectors = memory_.touch(address, bytes, false);
    counts_.add(Quantity::global_read_bytes, bytes);
    counts_.add(Quantity::global_read_sectors, sectors.all);
    counts_.add(Quantity::unique_read_sectors, sectors.fresh);
}

Expected<std::vector<std::byte>, Failure> Performance::answer(const recipe::CopyToHost& question) {
    const std::uint64_t bytes = question.region.row_bytes;
    std::vector<std::byte> answer(bytes * question.region.rows);
    try {
        each_row(budget_, address_of(question.source), pitch_of(question.source, question.pitch), question.region,
                 [&](Address row, std::uint64_t number) {
                     std::memcpy(answer.data() + number * bytes, memory_.at(row, bytes), bytes);
                 });
    } catch (const Late&) {
        return too_late();
    } catch (const std::out_of_range& error) {
        return Failure{Stage::launch, fmt::format("illegal memory access: {}", error.what())};
    }
    return answer;
}

Expected<std::uint64_t, Failure> Performance::answer(const recipe::CreateTexture& question) {
    return images_.create(question);
}

} // namespace cudabench::cpu
