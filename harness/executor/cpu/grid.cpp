#include "executor/cpu/grid.h"

#include "executor/cpu/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace cudabench::cpu {
namespace {

constexpr std::int64_t turn_steps = 1 << 16; ///< of a warp
/// Turns of a block before another one is started beside it although it never looked as if it waited.
constexpr int most_turns = 256;
constexpr std::size_t most_printed = 4096;
/// Blocks that wait for each other, on all host threads together: as many as an H200 holds (132 multiprocessors of 32).
constexpr std::size_t most_resident = 4224;
/// Bytes that they may take together, if each host thread can have one at least.
constexpr std::uint64_t most_resident_bytes = std::uint64_t{2} << 30;

std::string position(const recipe::Extent& e) {
    return fmt::format("({}, {}, {})", e.x, e.y, e.z);
}

recipe::Extent thread_of(const Grid& grid, const Warp& warp, unsigned lane) {
    const std::uint32_t thread = warp.index() * warp_size + lane;
    return {thread % grid.block.x, thread / grid.block.x % grid.block.y, thread / grid.block.x / grid.block.y};
}

Failure failure_of(const Grid& grid, const Block& block, const Fault& fault) {
    const Warp& warp = block.faulty();
    const Code& code = *grid.code;
    const std::uint32_t pc = std::min<std::uint32_t>(warp.pc(), static_cast<std::uint32_t>(code.lines.size()) - 1);
    const std::uint32_t source_line = code.source_lines[pc];
    const std::string source = source_line == 0 ? "" : fmt::format(", source line {}", source_line);
    return {Stage::launch,
            fmt::format("{}; kernel {}, block {}, thread {}, PTX line {}{}", fault.what(), grid.kernel,
                        position(block.index()), position(thread_of(grid, warp, fault.lane)), code.lines[pc], source)};
}

/// Of one host thread.
std::size_t residents(const Grid& grid, unsigned threads) {
    const std::uint64_t warps = (grid.block_threads() + warp_size - 1) / warp_size;
    const std::uint64_t of_warp =
        grid.code->functions.front().frame_bytes + std::uint64_t{grid.code->stack_bytes} * warp_size;
    const std::uint64_t of_block = warps * of_warp + grid.code->shared_bytes + grid.dynamic_shared_bytes + 1;
    return std::clamp<std::uint64_t>(most_resident_bytes / of_block / threads, 1,
                                     std::max<std::size_t>(1, most_resident / threads));
}

/// What one host thread does: runs blocks, several in turns where they wait for others.
class Worker {
public:
    Worker(Grid& grid, std::atomic<std::uint64_t>& next, unsigned threads)
        : grid_(grid), next_(next), most_resident_(residents(grid, threads)), profile_(*grid.code, grid.watched) {}
    ~Worker() { grid_.add(counted()); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    std::optional<Failure> run() {
        bool start_another = true;
        while (!grid_.stopped) {
            if (start_another || resident_.empty())
                start_next();
            if (resident_.empty())
                return std::nullopt;
            std::unique_ptr<Resident> current = std::move(resident_.front());
            resident_.pop_front();
            Warp::Pause pause = Warp::Pause::slice;
            try {
                pause = current->block.run(turn_steps);
            } catch (const Fault& fault) {
                return failure_of(grid_, current->block, fault);
            }
            if (auto failure = charge(current->block))
                return failure;
            start_another = false;
            if (pause == Warp::Pause::finished) {
                idle_.push_back(std::move(current));
            } else {
                ++current->turns;
                start_another = grid_.cooperative || pause == Warp::Pause::spinning || current->turns % most_turns == 0;
                // Goes on at once unless it seems to wait.
                if (start_another)
                    resident_.push_back(std::move(current));
                else
                    resident_.push_front(std::move(current));
            }
        }
        return std::nullopt;
    }

private:
    struct Resident {
        Resident(Grid& grid, Profile& profile) : block(grid, profile) {}
        Block block;
        int turns = 0;
    };

    void start_next() {
        if (resident_.size() >= most_resident_)
            return;
        const std::uint64_t index = next_.fetch_add(1);
        if (index >= grid_.blocks())
            return;
        std::unique_ptr<Resident> started;
        if (idle_.empty()) {
            started = std::make_unique<Resident>(grid_, profile_);
        } else {
            started = std::move(idle_.back());
            idle_.pop_back();
        }
        started->block.start(index);
        started->turns = 0;
        resident_.push_front(std::move(started));
    }

    std::optional<Failure> charge(Block& block) {
        const std::uint64_t work = block.take_work();
        warp_steps_ += work;
        const auto steps = static_cast<std::int64_t>(work);
        const bool exhausted = grid_.budget->warp_steps.fetch_sub(steps) < steps;
        if (!exhausted && std::chrono::steady_clock::now() < grid_.budget->deadline)
            return std::nullopt;
        return Failure{Stage::launch,
                       fmt::format("did not end within {}; kernel {}",
                                   exhausted ? "the limit of interpreted instructions" : "its time limit",
                                   grid_.kernel)};
    }

    [[nodiscard]] Counts counted() const {
        Counts counts;
        if (profile_.watch != nullptr)
            counts = profile_.watch->counts;
        const Code& code = *grid_.code;
        for (std::size_t i = 0; i < profile_.lanes.size(); ++i) {
            counts.add(Quantity::thread_instructions, profile_.lanes[i]);
            for (const Cost::Part& part : code.costs[i].parts)
                counts.add(part.quantity, part.operations * profile_.lanes[i]);
        }
        counts.add(Quantity::warp_instructions, warp_steps_);
        counts.add(Quantity::divergent_branches, profile_.divergences);
        return counts;
    }

    Grid& grid_;
    std::atomic<std::uint64_t>& next_;
    std::size_t most_resident_;
    Profile profile_;
    std::uint64_t warp_steps_ = 0;
    std::deque<std::unique_ptr<Resident>> resident_;
    std::vector<std::unique_ptr<Resident>> idle_;
};

} // namespace

void Grid::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    printed_ += text.substr(0, most_printed - std::min(most_printed, printed_.size()));
}

void Grid::add(const Counts& more) {
    const std::lock_guard lock(mutex_);
    counts += more;
}

std::string Grid::printed() {
    const std::lock_guard lock(mutex_);
    return printed_;
}

Expected<Done, Failure> run_grid(Grid& grid, unsigned threads) {
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    std::optional<Failure> failure;
    const auto work = [&] {
        std::optional<Failure> ended;
        try {
            ended = Worker(grid, next, threads).run();
        } catch (const std::exception& error) {
            ended = Failure{Stage::fault, fmt::format("cannot interpret kernel {}: {}", grid.kernel, error.what())};
        }
        if (!ended)
            return;
        const std::lock_guard lock(mutex);
        grid.stopped = true;
        if (!failure)
            failure = std::move(ended);
    };
    {
        std::vector<std::jthread> others;
        for (std::uint64_t i = 1; i < std::min<std::uint64_t>(threads, grid.blocks()); ++i)
            others.emplace_back(work);
        work();
    }
    if (failure)
        return *failure;
    return Done{};
}

} // namespace cudabench::cpu
