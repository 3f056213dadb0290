#include "executor/cpu/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace cudabench::cpu {

Profile::Profile(const Code& code, Watched* watched)
    : lanes(code.steps.size()), watch(watched == nullptr ? nullptr : std::make_unique<Watch>(*watched)) {}

Block::Block(Grid& grid, Profile& profile)
    : grid_(grid), profile_(profile), shared_bytes_(grid.code->shared_bytes + grid.dynamic_shared_bytes) {
    if (profile.watch != nullptr)
        shadow_ = std::make_unique<BlockShadow>(profile.watch->shared(), shared_bytes_);
    shared_ = AlignedBytes(shared_bytes_);
    specials_ = AlignedBytes(std::size_t{block_specials::number} * warp_specials::lane_bytes);
    warps_.resize((grid.block_threads() + warp_size - 1) / warp_size);
}

void Block::start(std::uint64_t index) {
    const recipe::Extent& grid = grid_.grid;
    number_ = index;
    if (shadow_ != nullptr)
        shadow_->start(profile_.watch->shared().tick());
    index_ = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
              static_cast<std::uint32_t>(index / grid.x / grid.y)};
    // What nobody wrote differs from block to block on a GPU; here it is at least never zero.
    std::memset(shared_.data(), 0xC7, shared_bytes_);

    using namespace block_specials;
    std::array<std::uint32_t, number> values{};
    values[ctaid_x] = index_.x;
    values[ctaid_y] = index_.y;
    values[ctaid_z] = index_.z;
    values[ntid_x] = grid_.block.x;
    values[ntid_y] = grid_.block.y;
    values[ntid_z] = grid_.block.z;
    values[nctaid_x] = grid.x;
    values[nctaid_y] = grid.y;
    values[nctaid_z] = grid.z;
    values[nwarpid] = static_cast<std::uint32_t>(warps_.size());
    values[nsmid] = 1;
    values[envreg1] = static_cast<std::uint32_t>(grid_.workspace >> 32);
    values[envreg2] = static_cast<std::uint32_t>(grid_.workspace);
    values[dynamic_shared] = grid_.dynamic_shared_bytes;
    values[total_shared] = shared_bytes_;
    values[one] = 1;
    auto* lanes = reinterpret_cast<std::uint32_t*>(specials_.data());
    for (const std::uint32_t value : values)
        lanes = std::fill_n(lanes, warp_size, value);

    live_ = grid_.block_threads();
    barriers_ = {};
    running_ = 0;
    for (std::uint32_t i = 0; i < warps_.size(); ++i)
        warps_[i].start(grid_, *this, *grid_.code, i, grid_.block_threads() - i * warp_size);
}

Warp::Pause Block::run(std::int64_t steps) {
    bool some_left = false;
    bool some_moved = false;
    bool all_spin = true;
    for (running_ = 0; running_ < warps_.size(); ++running_) {
        Warp& warp = warps_[running_];
        if (warp.live() == 0)
            continue;
        const std::uint64_t before = warp.steps_done();
        const Warp::Pause pause = warp.run(steps);
        some_moved = some_moved || warp.steps_done() != before;
        some_left = some_left || pause != Warp::Pause::finished;
        all_spin = all_spin && pause != Warp::Pause::slice;
    }
    if (!some_left)
        return Warp::Pause::finished;
    if (!some_moved) {
        running_ = 0;
        while (warps_[running_].live() == 0)
            ++running_;
        throw Fault("the threads of the block wait for each other for ever (a barrier or a warp-wide operation that "
                    "some of them never reach)",
                    first(warps_[running_].live()));
    }
    return all_spin ? Warp::Pause::spinning : Warp::Pause::slice;
}

std::uint64_t Block::take_work() {
    std::uint64_t total = 0;
    for (const Warp& warp : warps_)
        total += warp.steps_done();
    return total - std::exchange(taken_, total);
}

void Block::arrive(Warp& warp, const BarrierSite& site, std::uint32_t barrier, std::uint32_t threads, Lanes lanes) {
    Barrier& state = barriers_[barrier];
    state.expected = threads;
    state.arrived += count(lanes);
    if (site.reduction != BarrierSite::Reduction::none) {
        const Lanes there = lanes & warp.live();
        const Lanes value = warp.predicate(site.predicate);
        state.set += count((site.negated ? ~value : value) & there);
        state.reduced += count(there);
    }
    complete_if_all(barrier);
}

void Block::exited(unsigned threads) {
    live_ -= threads;
    for (std::uint32_t barrier = 0; barrier < barriers_.size(); ++barrier)
        if (barriers_[barrier].arrived != 0)
            complete_if_all(barrier);
}

void Block::complete_if_all(std::uint32_t barrier) {
    Barrier& state = barriers_[barrier];
    const std::uint32_t expected = state.expected == 0 ? live_ : state.expected;
    if (state.arrived < expected)
        return;
    if (shadow_ != nullptr)
        shadow_->ordered = profile_.watch->shared().tick();
    wake(barrier);
    state = {};
}

void Block::wake(std::uint32_t barrier) {
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        Warp& warp = warps_[i];
        std::uint32_t step = 0; // where other lanes of the warp waited
        for (Split& split : warp.splits()) {
            if (split.state != Split::State::at_barrier || split.barrier != barrier)
                continue;
            if (step != 0 && step != split.pc) {
                running_ = i;
                throw Fault(
                    fmt::format("divergent barrier: lanes of a warp wait at different ones, PTX lines {} and {}",
                                grid_.code->lines[step], grid_.code->lines[split.pc]),
                    first(split.lanes));
            }
            step = split.pc;
            const BarrierSite& site = grid_.code->barriers[grid_.code->steps[split.pc].target];
            if (site.reduction != BarrierSite::Reduction::none)
                give_result(warp, split, site, barriers_[barrier]);
            warp.wake(split);
        }
    }
}

void Block::give_result(Warp& warp, const Split& split, const BarrierSite& site, const Barrier& barrier) {
    std::byte* const frame = warp.frame_of(split);
    if (site.reduction == BarrierSite::Reduction::count) {
        auto* const lanes = reinterpret_cast<std::uint32_t*>(frame + site.destination.offset());
        each(split.lanes, [&](unsigned lane) { lanes[lane] = barrier.set; });
        return;
    }
    const bool all = site.reduction == BarrierSite::Reduction::all;
    const bool holds = all ? barrier.set == barrier.reduced : barrier.set != 0;
    auto& word = *reinterpret_cast<Lanes*>(frame + site.destination.offset());
    word = (word & ~split.lanes) | (holds ? split.lanes : 0);
}

} // namespace cudabench::cpu
