#pragma once

#include "executor/cpu/code.h"
#include "executor/cpu/fault.h"
#include "executor/cpu/memory.h"
#include "executor/cpu/step.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cudabench::cpu {

class Block;
class Watch;
struct Grid;

/// Lanes of a warp that are at the same step of the same call. Independent thread scheduling: lanes that took different
/// branches form different splits, which run in turns and join where they meet.
struct Split {
    enum class State : std::uint8_t { ready, at_barrier, at_collective };

    std::uint32_t pc = 0;
    Lanes lanes = 0;
    std::uint32_t frame = 0;       ///< where its registers begin
    std::uint32_t local_frame = 0; ///< where its local variables begin
    std::uint32_t depth = 0;       ///< of calls
    std::uint32_t function = 0;    ///< index of Callable
    State state = State::ready;
    std::uint8_t barrier = 0;
    std::uint64_t last_turn = 0;
};

/// 32 threads and their registers. Needs no stack of the host: run() returns wherever the warp has to wait and goes on
/// from there when called again.
class Warp {
public:
    enum class Pause : std::uint8_t {
        finished, ///< every lane has exited
        waiting,  ///< for other warps, at a barrier
        spinning, ///< has looked in vain for what another warp or block is to do
        slice,    ///< its turn is over
    };

    Warp() = default;
    Warp(const Warp&) = delete;
    Warp& operator=(const Warp&) = delete;
    Warp(Warp&&) = default;
    Warp& operator=(Warp&&) = default;

    /// To the start of a kernel. `threads`: of the block, from the first of this warp on.
    void start(Grid& grid, Block& block, const Code& code, std::uint32_t index, std::uint32_t threads);
    /// Runs about as many steps. Throws Fault.
    Pause run(std::int64_t steps);

    [[nodiscard]] Lanes live() const { return live_; }
    [[nodiscard]] std::uint64_t steps_done() const { return steps_done_; }
    /// The step of the last fault.
    [[nodiscard]] std::uint32_t pc() const { return pc_; }
    [[nodiscard]] std::uint32_t index() const { return index_; }
    [[nodiscard]] std::span<Split> splits() { return splits_; }

    // For handlers.

    template <typename T> [[nodiscard, gnu::always_inline]] T* at(Place place) const {
        return reinterpret_cast<T*>(areas_[place.area()] + place.offset());
    }
    /// Whether writing all lanes does no harm: those not among `lanes` have exited.
    [[nodiscard]] bool whole(Lanes lanes) const { return (lanes | ~live_) == all_lanes; }
    [[nodiscard]] Lanes predicate(Place place) const { return *at<Lanes>(place); }
    void set_predicate(Place place, Lanes value, Lanes lanes) {
        Lanes& word = *at<Lanes>(place);
        word = (word & ~lanes) | (value & lanes);
    }
    [[nodiscard]] const Code& code() const { return *code_; }
    [[nodiscard]] Grid& grid() const { return *grid_; }
    [[nodiscard]] Block& block() const { return *block_; }
    [[nodiscard]] std::byte* shared() const { return shared_; }
    [[nodiscard]] std::uint32_t shared_bytes() const { return shared_bytes_; }
    [[nodiscard]] std::byte* local() const { return local_.data(); }
    [[nodiscard]] std::uint32_t local_stride() const { return code_->stack_bytes; }
    [[nodiscard]] std::uint32_t local_frame() const { return local_frame_; }
    [[nodiscard]] const Region*& region() { return region_; }
    [[nodiscard]] Lanes& carry() { return carry_; }
    /// Another look at what others may change; many of them end a turn.
    void looked() { ++looks_; }
    /// Likewise, and what any thread did before comes before it.
    void looks_in_order() {
        looked();
        order_all();
    }

    // While accesses are watched; null and nothing else.

    [[nodiscard]] Watch* watch() const { return watch_; }
    /// All accesses so far come before all later ones.
    void order_all() {
        if (watch_ != nullptr)
            order_all_watched();
    }
    /// Since when accesses of the warp's lanes come after earlier ones.
    [[nodiscard]] std::uint32_t ordered() const { return ordered_; }
    [[nodiscard]] Marks* local_written() const { return local_written_.get(); } ///< lane x stride + offset; may be null

    /// All threads that a barrier waited for are there: `split` goes on.
    void wake(Split& split) const {
        split.state = Split::State::ready;
        ++split.pc;
    }
    [[nodiscard]] std::byte* frame_of(const Split& split) const { return registers_.data() + split.frame; }

private:
    void select_frame(const Split& split) { areas_[0] = frame_of(split); }

    struct Return {
        std::uint32_t call = 0; ///< the step that called
        std::uint32_t frame = 0;
        std::uint32_t local_frame = 0;
        std::uint32_t function = 0;
    };

    bool choose();
    void join_splits();
    Pause interpret(std::int64_t steps);
    Pause lose_patience();

    void branch_indexed(const Step& step, Lanes lanes);
    void call(const Step& step, Lanes lanes);
    void enter(const CallSite& site, std::uint32_t callee, Lanes lanes);
    /// `lane`: to blame if there are too many.
    void grow_registers(std::size_t bytes, unsigned lane);
    void give_back(Lanes lanes);
    void finish(Lanes lanes);
    void arrive(const Step& step, Lanes lanes);
    void gather(const Step& step, Lanes lanes);
    void release_warp_barrier(const Step& step, Lanes lanes);
    void add_split(Split split);
    void order_all_watched() const;
    void order_warp();

    Grid* grid_ = nullptr;
    Block* block_ = nullptr;
    const Code* code_ = nullptr;
    std::array<std::byte*, 4> areas_{};
    AlignedBytes registers_;
    AlignedBytes specials_;
    AlignedBytes local_;
    std::byte* shared_ = nullptr;
    std::uint32_t shared_bytes_ = 0;
    const Region* region_ = nullptr;
    std::uint32_t index_ = 0;
    Lanes live_ = 0;
    Lanes exists_ = 0;
    Lanes carry_ = 0;
    std::vector<Split> splits_;
    std::size_t current_ = 0; ///< of splits_
    std::uint32_t pc_ = 0;
    std::uint32_t local_frame_ = 0;
    std::uint32_t meeting_ = 0; ///< where the current split meets another
    std::uint64_t turn_ = 0;
    std::uint32_t patience_ = 0; ///< branches until another split gets its turn
    std::uint32_t looks_ = 0;
    std::size_t rotations_ = 0; ///< of splits that only looked, in one turn of the warp
    std::uint64_t steps_done_ = 0;
    std::uint64_t* lanes_of_steps_ = nullptr;
    Watch* watch_ = nullptr;
    std::uint32_t ordered_ = 0;
    std::unique_ptr<Marks> local_written_;
    std::vector<std::array<Return, warp_size>> returns_;
};

/// Offsets in Area::warp: each 32 lanes of 32 bits.
namespace warp_specials {
inline constexpr std::uint32_t lane_bytes = warp_size * 4;
enum Index : std::uint32_t { tid_x, tid_y, tid_z, laneid, warpid, mask_eq, mask_lt, mask_le, mask_gt, mask_ge, number };
} // namespace warp_specials

/// Offsets in Area::block.
namespace block_specials {
enum Index : std::uint32_t {
    ctaid_x,
    ctaid_y,
    ctaid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    nwarpid,
    smid,
    nsmid,
    gridid,
    envreg1,
    envreg2,
    dynamic_shared,
    total_shared,
    zero,
    one,
    number
};
} // namespace block_specials

} // namespace cudabench::cpu
