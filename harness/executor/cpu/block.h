#pragma once

#include "executor/cpu/code.h"
#include "executor/cpu/grid.h"
#include "executor/cpu/warp.h"
#include "executor/cpu/watch.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace cudabench::cpu {

/// What a host thread counts while it runs blocks of a grid.
struct Profile {
    /// `watched`: may be null.
    Profile(const Code& code, Watched* watched);

    std::vector<std::uint64_t> lanes; ///< that made each step
    std::uint64_t divergences = 0;
    std::unique_ptr<Watch> watch; ///< null: accesses are not watched
};

/// The threads of one block, their shared memory and barriers. Runs on one host thread at a time.
class Block {
public:
    Block(Grid& grid, Profile& profile);
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    /// To the start of block `index` of the grid.
    void start(std::uint64_t index);
    /// Runs about as many steps of each warp. `waiting` does not occur: a block in which nothing can run is a fault.
    /// Throws Fault; then faulty() is the warp.
    Warp::Pause run(std::int64_t steps);

    [[nodiscard]] const recipe::Extent& index() const { return index_; } ///< from 0
    [[nodiscard]] const Warp& faulty() const { return warps_[running_]; }
    /// Steps of warps since the last call.
    [[nodiscard]] std::uint64_t take_work();

    // For warps.

    [[nodiscard]] std::byte* shared() const { return shared_.data(); }
    [[nodiscard]] std::uint32_t shared_bytes() const { return shared_bytes_; }
    [[nodiscard]] Profile& profile() const { return profile_; }
    [[nodiscard]] std::uint64_t number_in_grid() const { return number_; }
    [[nodiscard]] BlockShadow* shadow() const { return shadow_.get(); } ///< null: accesses are not watched
    [[nodiscard]] std::byte* specials() const { return specials_.data(); }
    /// Lanes of a split arrive at a barrier; the split already waits if the site says so.
    void arrive(Warp& warp, const BarrierSite& site, std::uint32_t barrier, std::uint32_t threads, Lanes lanes);
    void exited(unsigned threads);

private:
    struct Barrier {
        std::uint32_t arrived = 0;  ///< threads
        std::uint32_t expected = 0; ///< 0: all that live
        std::uint32_t set = 0;      ///< predicates of a reduction
        std::uint32_t reduced = 0;  ///< threads that take part in it
    };
    void complete_if_all(std::uint32_t barrier);
    void wake(std::uint32_t barrier);
    static void give_result(Warp& warp, const Split& split, const BarrierSite& site, const Barrier& barrier);

    Grid& grid_;
    Profile& profile_;
    std::uint64_t number_ = 0;
    std::unique_ptr<BlockShadow> shadow_;
    recipe::Extent index_;
    AlignedBytes shared_;
    AlignedBytes specials_;
    std::uint32_t shared_bytes_ = 0;
    std::vector<Warp> warps_;
    std::size_t running_ = 0;
    std::uint32_t live_ = 0;
    std::array<Barrier, 16> barriers_{};
    std::uint64_t taken_ = 0;
};

} // namespace cudabench::cpu
