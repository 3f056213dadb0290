#include "executor/cpu/warp.h"

#include "executor/cpu/block.h"
#include "executor/cpu/built.h"
#include "executor/cpu/grid.h"
#include "executor/cpu/watch.h"
#include "executor/cpu/windows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace cudabench::cpu {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
/// Branches that some lanes may take while others wait that could run: enough to let loops of different lengths end,
/// few enough for the holder of a lock to get its turn soon.
constexpr std::uint32_t most_patience = 1024;
/// Looks at what others change, in one turn.
constexpr std::uint32_t most_looks = 32;
constexpr std::uint32_t deepest_call = 4096;
constexpr std::uint32_t most_registers_bytes = std::uint32_t{1} << 26;
constexpr std::uint64_t most_call_frames = std::uint64_t{1} << 30; ///< of all warps of a grid

bool same_place(const Split& a, const Split& b) {
    return a.pc == b.pc && a.depth == b.depth && a.frame == b.frame && a.local_frame == b.local_frame &&
           a.function == b.function;
}

bool can_join(const Split& split) {
    return split.state != Split::State::at_barrier;
}

void copy_lanes(std::byte* to, const Passed& target, const std::byte* from, const Passed& source, Lanes lanes) {
    const std::uint32_t bytes = std::min(target.bytes, source.bytes);
    each(lanes, [&](unsigned lane) {
        std::memcpy(to + target.place.offset() + std::size_t{lane} * target.stride,
                    from + source.place.offset() + std::size_t{lane} * source.stride, bytes);
    });
}

} // namespace

void Warp::start(Grid& grid, Block& block, const Code& code, std::uint32_t index, std::uint32_t threads) {
    grid_ = &grid;
    block_ = &block;
    code_ = &code;
    index_ = index;
    exists_ = threads >= warp_size ? all_lanes : (Lanes{1} << threads) - 1;
    live_ = exists_;
    carry_ = 0;
    registers_.grow(code.functions.front().frame_bytes);
    local_.grow(std::size_t{code.stack_bytes} * warp_size);
    lanes_of_steps_ = block.profile().lanes.data();
    watch_ = block.profile().watch.get();
    if (watch_ != nullptr) {
        ordered_ = watch_->shared().now();
        if (watch_->shared().findings().uninitialised) {
            if (local_written_ == nullptr)
                local_written_ = std::make_unique<Marks>(std::uint64_t{code.stack_bytes} * warp_size);
            else
                local_written_->clear();
        }
    }
    if (specials_.size() == 0) {
        using namespace warp_specials;
        specials_ = AlignedBytes(std::size_t{number} * lane_bytes);
        const auto special = [&](Index which) {
            return reinterpret_cast<std::uint32_t*>(specials_.data() + std::size_t{which} * lane_bytes);
        };
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t thread = index * warp_size + lane;
            special(tid_x)[lane] = thread % grid.block.x;
            special(tid_y)[lane] = thread / grid.block.x % grid.block.y;
            special(tid_z)[lane] = thread / grid.block.x / grid.block.y;
            special(laneid)[lane] = lane;
            special(warpid)[lane] = index;
            const Lanes bit = Lanes{1} << lane;
            special(mask_eq)[lane] = bit;
            special(mask_lt)[lane] = bit - 1;
            special(mask_le)[lane] = bit | (bit - 1);
            special(mask_gt)[lane] = ~(bit | (bit - 1));
            special(mask_ge)[lane] = ~(bit - 1);
        }
    }
    areas_ = {registers_.data(), code.constants.data(), block.specials(), specials_.data()};
    shared_ = block.shared();
    shared_bytes_ = block.shared_bytes();
    region_ = nullptr;
    splits_.assign(1, Split{.pc = code.functions.front().first_step, .lanes = exists_});
    current_ = 0;
    turn_ = 0;
    patience_ = 0;
    looks_ = 0;
}

Warp::Pause Warp::run(std::int64_t steps) {
    looks_ = 0;
    rotations_ = 0;
    const std::uint64_t end = steps_done_ + static_cast<std::uint64_t>(steps);
    while (choose()) {
        const Pause pause = interpret(static_cast<std::int64_t>(end - steps_done_));
        if (pause != Pause::waiting)
            return pause;
    }
    return splits_.empty() ? Pause::finished : Pause::waiting;
}

void Warp::join_splits() {
    for (std::size_t i = 0; i + 1 < splits_.size(); ++i) {
        if (!can_join(splits_[i]))
            continue;
        for (std::size_t j = splits_.size() - 1; j > i; --j) {
            if (!can_join(splits_[j]) || !same_place(splits_[i], splits_[j]))
                continue;
            splits_[i].lanes |= splits_[j].lanes;
            splits_[i].last_turn = std::max(splits_[i].last_turn, splits_[j].last_turn);
            splits_[i].state = Split::State::ready;
            splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

/// Which split runs next: as a rule those deepest in calls and of the lowest step, so that lanes which took different
/// branches meet behind them; after some patience the one that has waited longest, so that all make progress.
bool Warp::choose() {
    if (splits_.size() > 1)
        join_splits();
    const auto before = [](const Split& a, const Split& b) {
        return a.depth != b.depth ? a.depth > b.depth : a.pc < b.pc;
    };
    std::size_t ready = 0;
    const Split* lowest = nullptr;
    const Split* oldest = nullptr;
    const Split* favoured = nullptr; // the lowest of those whose turn it is
    for (const Split& split : splits_) {
        if (split.state != Split::State::ready)
            continue;
        ++ready;
        if (lowest == nullptr || before(split, *lowest))
            lowest = &split;
        if (oldest == nullptr || split.last_turn < oldest->last_turn)
            oldest = &split;
        if (split.last_turn == turn_ && (favoured == nullptr || before(split, *favoured)))
            favoured = &split;
    }
    if (ready == 0)
        return false;
    const Split* chosen = lowest;
    if (ready > 1 && ++patience_ >= most_patience) {
        if (patience_ == most_patience)
            chosen = oldest;
        else if (favoured != nullptr && patience_ < 2 * most_patience)
            chosen = favoured;
        else
            patience_ = 0;
    }
    current_ = static_cast<std::size_t>(chosen - splits_.data());
    Split& split = splits_[current_];
    if (patience_ <= most_patience)
        split.last_turn = ++turn_;
    meeting_ = nowhere;
    for (const Split& other : splits_)
        if (&other != &split && can_join(other) && other.frame == split.frame && other.depth == split.depth &&
            other.pc > split.pc)
            meeting_ = std::min(meeting_, other.pc);
    return true;
}

void Warp::order_all_watched() const {
    watch_->shared().order_all();
}

void Warp::order_warp() {
    if (watch_ != nullptr)
        ordered_ = watch_->shared().tick();
}

void Warp::add_split(Split split) {
    splits_.push_back(split);
}

/// Runs the chosen split until another is to be chosen (Pause::waiting) or the turn is over.
Warp::Pause Warp::interpret(std::int64_t steps) {
    const Step* const code = code_->steps.data();
    Lanes lanes = splits_[current_].lanes;
    select_frame(splits_[current_]);
    local_frame_ = splits_[current_].local_frame;
    pc_ = splits_[current_].pc;
    const auto keep = [&] { splits_[current_].pc = pc_; };

    std::int64_t left = steps;
    std::uint64_t* const lanes_of_steps = lanes_of_steps_;
    struct Counted {
        Warp& warp;
        const std::int64_t& left;
        std::int64_t steps;
        ~Counted() { warp.steps_done_ += static_cast<std::uint64_t>(steps - left); }
    } const counted{*this, left, steps};

    while (true) {
        if (left <= 0) {
            keep();
            return Pause::slice;
        }
        --left;
        const Step& step = code[pc_];
        Lanes active = lanes;
        if (step.guard != Guard::none) {
            const Lanes guard = predicate(step.guarded_by);
            active &= step.guard == Guard::if_set ? guard : ~guard;
        }
        if (step.control != Control::collective && step.control != Control::warp_barrier) // those count when they meet
            lanes_of_steps[pc_] += active == all_lanes ? warp_size : count(active);
        if (step.control == Control::straight) [[likely]] {
            if (active != 0)
                step.run(*this, step, active);
            ++pc_;
        } else if (step.control == Control::branch) {
            if (active == lanes)
                pc_ = step.target;
            else
                ++pc_;
            const bool diverges = active != 0 && active != lanes;
            if (diverges) {
                block_->profile().divergences += 1;
                Split taken = splits_[current_];
                taken.lanes = active;
                taken.pc = step.target;
                splits_[current_].lanes = lanes & ~active;
                keep();
                add_split(taken);
                return looks_ > most_looks ? lose_patience() : Pause::waiting;
            }
            if (looks_ > most_looks) {
                keep();
                return lose_patience();
            }
            if (splits_.size() > 1) {
                keep();
                return Pause::waiting;
            }
        } else if (active == 0) {
            ++pc_;
        } else {
            if (active != lanes) { // the others pass by
                Split others = splits_[current_];
                others.lanes = lanes & ~active;
                others.pc = pc_ + 1;
                splits_[current_].lanes = active;
                add_split(others);
            }
            keep();
            switch (step.control) {
            case Control::straight:
            case Control::branch: break;
            case Control::branch_indexed: branch_indexed(step, active); break;
            case Control::call: call(step, active); break;
            case Control::give_back: give_back(active); break;
            case Control::finish: finish(active); break;
            case Control::barrier: arrive(step, active); break;
            case Control::collective:
            case Control::warp_barrier: gather(step, active); break;
            case Control::pause:
                if (step.run != nullptr)
                    step.run(*this, step, active);
                ++splits_[current_].pc;
                return lose_patience();
            }
            // The common case: the split just goes on.
            if (splits_.size() == 1 && splits_.front().state == Split::State::ready) {
                current_ = 0;
                const Split& split = splits_.front();
                lanes = split.lanes;
                pc_ = split.pc;
                local_frame_ = split.local_frame;
                select_frame(split);
                continue;
            }
            return Pause::waiting;
        }
        if (pc_ == meeting_) {
            keep();
            return Pause::waiting;
        }
    }
}

/// The running split only looks at what others are to change: those of the warp get their turn, then other warps.
Warp::Pause Warp::lose_patience() {
    looks_ = 0;
    if (++rotations_ >= splits_.size())
        return Pause::spinning;
    patience_ = most_patience - 1;
    return Pause::waiting;
}

void Warp::branch_indexed(const Step& step, Lanes lanes) {
    const std::vector<std::uint32_t>& table = code_->tables[step.target];
    const auto* const index = at<std::uint32_t>(step.a);
    const Split origin = splits_[current_];
    bool first_group = true;
    while (lanes != 0) {
        const unsigned leader = first(lanes);
        if (index[leader] >= table.size())
            throw Fault("brx.idx beyond its table", leader);
        Lanes group = 0;
        each(lanes, [&](unsigned lane) { group |= index[lane] == index[leader] ? Lanes{1} << lane : 0; });
        lanes &= ~group;
        Split split = origin;
        split.lanes = group;
        split.pc = table[index[leader]];
        if (first_group)
            splits_[current_] = split;
        else
            add_split(split);
        first_group = false;
    }
}

void Warp::call(const Step& step, Lanes lanes) {
    const CallSite& site = code_->calls[step.target];
    if (site.built != Built::none) {
        call_built(*this, site, lanes);
        ++splits_[current_].pc;
        return;
    }
    if (!site.indirect) {
        enter(site, site.callee, lanes);
        return;
    }
    std::array<std::uint64_t, warp_size> function{};
    std::memcpy(function.data(), at<std::byte>(site.function), sizeof function);
    const Split origin = splits_[current_];
    bool first_group = true;
    while (lanes != 0) {
        const unsigned leader = first(lanes);
        const std::uint64_t index = (function[leader] - function_window) / 16;
        const auto& callees = code_->functions;
        const auto found = std::ranges::find(callees, index, &Callable::address_index);
        if (function[leader] < function_window || found == callees.end())
            throw Fault("calls what is no function", leader);
        Lanes group = 0;
        each(lanes, [&](unsigned lane) { group |= function[lane] == function[leader] ? Lanes{1} << lane : 0; });
        lanes &= ~group;
        if (!first_group) {
            add_split(origin);
            current_ = splits_.size() - 1;
            select_frame(origin);
        }
        splits_[current_].lanes = group;
        enter(site, static_cast<std::uint32_t>(found - callees.begin()), group);
        first_group = false;
    }
}

/// The current split, which is `lanes`, begins a function.
void Warp::enter(const CallSite& site, std::uint32_t callee, Lanes lanes) {
    Split& split = splits_[current_];
    const Callable& caller = code_->functions[split.function];
    const Callable& called = code_->functions[callee];
    // Behind every frame in use: those of other functions are laid out otherwise, whatever the lanes.
    std::uint32_t frame = 0;
    for (const Split& any : splits_)
        frame = std::max(frame, any.frame + code_->functions[any.function].frame_bytes);
    const std::uint32_t local_frame = split.local_frame + caller.local_bytes;
    if (split.depth + 1 >= deepest_call || frame + called.frame_bytes > most_registers_bytes ||
        local_frame + called.local_bytes > code_->stack_bytes)
        throw Fault("stack overflow", first(lanes));
    if (site.arguments.size() != called.parameters.size() || site.results.size() > called.returns.size())
        throw Fault("calls a function of another type", first(lanes));
    grow_registers(std::size_t{frame} + called.frame_bytes, first(lanes));
    if (returns_.size() <= split.depth)
        returns_.resize(split.depth + 1);
    each(lanes, [&](unsigned lane) {
        returns_[split.depth][lane] = {split.pc, split.frame, split.local_frame, split.function};
    });
    for (std::size_t i = 0; i < site.arguments.size(); ++i)
        copy_lanes(registers_.data() + frame, called.parameters[i], registers_.data() + split.frame, site.arguments[i],
                   lanes);
    split.pc = called.first_step;
    split.frame = frame;
    split.local_frame = local_frame;
    split.function = callee;
    ++split.depth;
}

/// By half at least, so that deep recursion copies little.
void Warp::grow_registers(std::size_t bytes, unsigned lane) {
    const std::size_t before = registers_.size();
    if (bytes <= before)
        return;
    bytes = std::max(bytes, before + before / 2);
    if (grid_->call_frames.fetch_add(bytes - before) > most_call_frames)
        throw Fault("stack overflow", lane);
    registers_.grow(bytes);
}

void Warp::give_back(Lanes lanes) {
    if (splits_[current_].depth == 0) {
        finish(lanes);
        return;
    }
    const Split origin = splits_[current_];
    const auto& returns = returns_[origin.depth - 1];
    bool first_group = true;
    while (lanes != 0) {
        const Return& to = returns[first(lanes)];
        Lanes group = 0;
        each(lanes, [&](unsigned lane) {
            const bool same = returns[lane].call == to.call && returns[lane].frame == to.frame &&
                              returns[lane].local_frame == to.local_frame;
            group |= same ? Lanes{1} << lane : 0;
        });
        lanes &= ~group;
        const CallSite& site = code_->calls[code_->steps[to.call].target];
        const Callable& called = code_->functions[origin.function];
        for (std::size_t i = 0; i < site.results.size(); ++i)
            copy_lanes(registers_.data() + to.frame, site.results[i], registers_.data() + origin.frame,
                       called.returns[i], group);
        Split split = origin;
        split.lanes = group;
        split.pc = to.call + 1;
        split.frame = to.frame;
        split.local_frame = to.local_frame;
        split.function = to.function;
        --split.depth;
        if (first_group)
            splits_[current_] = split;
        else
            add_split(split);
        first_group = false;
    }
}

void Warp::finish(Lanes lanes) {
    splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(current_));
    live_ &= ~lanes;
    // Those that waited for the exited lanes look again.
    for (Split& split : splits_)
        if (split.state == Split::State::at_collective)
            split.state = Split::State::ready;
    block_->exited(count(lanes));
}

void Warp::arrive(const Step& step, Lanes lanes) {
    const BarrierSite& site = code_->barriers[step.target];
    const std::uint32_t barrier = at<std::uint32_t>(site.barrier)[first(lanes)];
    const std::uint32_t threads = site.counted ? at<std::uint32_t>(site.threads)[first(lanes)] : 0;
    if (barrier >= 16)
        throw Fault("barrier number above 15", first(lanes));
    if (site.counted && (threads == 0 || threads % warp_size != 0))
        throw Fault("barrier for a number of threads that is no multiple of 32", first(lanes));
    // Warps, not threads, are counted where a number is given: the lanes that are not there come with the first.
    Lanes counted = lanes;
    if (site.counted && has(lanes, first(live_)))
        counted |= ~live_;
    if (site.waits) {
        splits_[current_].state = Split::State::at_barrier;
        splits_[current_].barrier = static_cast<std::uint8_t>(barrier);
    } else {
        ++splits_[current_].pc;
    }
    block_->arrive(*this, site, barrier, threads, counted);
}

/// A step that lanes make together: those that have all the others of their mask do, the rest wait here.
void Warp::gather(const Step& step, Lanes lanes) {
    const auto* const masks = at<Lanes>(step.e);
    Lanes together = 0;
    Lanes waiting = 0;
    for (Lanes rest = lanes; rest != 0;) {
        const Lanes mask = masks[first(rest)];
        Lanes group = 0;
        each(rest, [&](unsigned lane) { group |= masks[lane] == mask ? Lanes{1} << lane : 0; });
        rest &= ~group;
        if ((mask & live_ & ~group) == 0) {
            order_warp();
            if (step.run != nullptr)
                step.run(*this, step, group);
            together |= group;
        } else {
            waiting |= group;
        }
    }
    lanes_of_steps_[splits_[current_].pc] += count(together);
    Split& split = splits_[current_];
    if (waiting == 0) {
        ++split.pc;
        return;
    }
    Split left_behind = split;
    left_behind.lanes = waiting;
    left_behind.state = Split::State::at_collective;
    if (together == 0) {
        split = left_behind;
    } else {
        split.lanes = together;
        ++split.pc;
        add_split(left_behind);
    }
    if (step.control == Control::warp_barrier)
        release_warp_barrier(step, waiting);
}

/// __syncwarp() in different places: lanes wait for each other all the same.
void Warp::release_warp_barrier(const Step& step, Lanes lanes) {
    const auto waits = [&](const Split& split) {
        return split.state == Split::State::at_collective && code_->steps[split.pc].control == Control::warp_barrier;
    };
    const Lanes needed = at<Lanes>(step.e)[first(lanes)] & live_;
    Lanes there = 0;
    for (const Split& split : splits_)
        if (waits(split))
            there |= split.lanes;
    if ((needed & ~there) != 0)
        return;
    order_warp();
    for (Split& split : splits_) {
        if (waits(split) && (split.lanes & ~needed) == 0) {
            lanes_of_steps_[split.pc] += count(split.lanes);
            wake(split);
        }
    }
}

} // namespace cudabench::cpu
