#pragma once

#include "executor/cpu/access.h"
#include "executor/cpu/counts.h"
#include "executor/cpu/shadow.h"
#include "executor/cpu/warp.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace cudabench::cpu {

/// What a performance looks for beside counting. Each finding is a Fault.
struct Findings {
    bool uninitialised = true; ///< reads of bytes that nobody wrote
    bool races = true;         ///< accesses of two threads that nothing orders, one of them a write of another value
};

/// Of a performance: shared by all of its grids, blocks and host threads.
///
/// Races are found in the order in which the interpreter runs. Every event that orders accesses moves the clock on: a
/// barrier those of its block, a collective operation those of its warp; a fence, a volatile or ordered access, an
/// mbarrier and the end of a grid those of all threads, which is more than they promise. So a race may be missed, but
/// one that is found is none that they exclude.
class Watched {
public:
    explicit Watched(const Findings& findings) : findings_(findings) {}

    [[nodiscard]] const Findings& findings() const { return findings_; }
    [[nodiscard]] std::uint32_t now() const { return clock_.load(std::memory_order_relaxed); }
    /// Returns the time from which on accesses come after those before.
    std::uint32_t tick() { return clock_.fetch_add(2, std::memory_order_acq_rel) + 2; }
    void order_all() { ordered_.store(tick(), std::memory_order_release); }
    [[nodiscard]] std::uint32_t ordered() const { return ordered_.load(std::memory_order_acquire); }

private:
    Findings findings_;
    std::atomic<std::uint32_t> clock_{2}; ///< even
    std::atomic<std::uint32_t> ordered_{2};
};

/// What a block knows of its own memory while it is watched.
struct BlockShadow {
    BlockShadow(const Watched& watched, std::uint32_t shared_bytes);
    void start(std::uint32_t now);

    std::uint32_t ordered = 0; ///< accesses of the block before this time come before all later ones
    std::unique_ptr<Marks> written;
    std::unique_ptr<RaceCells> races;
};

/// Notes accesses for one host thread.
class Watch {
public:
    explicit Watch(Watched& watched) : watched_(watched) {}

    [[nodiscard]] Watched& shared() const { return watched_; }

    /// Before an access of a warp by one instruction: counts it, checks what is read and marks what is written.
    /// `located` by lane. Throws Fault.
    void begin(const Warp& warp, const Addresses& addresses, const std::array<Located, warp_size>& located, Lanes lanes,
               std::uint32_t bytes, Access access);
    /// Around the access of one lane: throws Fault for a race. Writing what was there already is none.
    [[nodiscard]] Suspect before_lane(const Warp& warp, std::uint64_t address, const Located& located, unsigned lane,
                                      std::uint32_t bytes, Access access);
    void after_lane(const Warp& warp, const Suspect& suspect, std::uint64_t address, const Located& located,
                    unsigned lane, std::uint32_t bytes, Access access) const;

    Counts counts;

private:
    void count_global(const Addresses& addresses, const std::array<Located, warp_size>& located, Lanes lanes,
                      std::uint32_t bytes, bool reads, bool writes);
    void count_shared(const Addresses& addresses, Lanes lanes, std::uint32_t bytes);
    [[nodiscard]] bool conflicts(const Warp& warp, std::uint32_t thread, const RaceCell::Touch& touch, Where space,
                                 bool with_others) const;

    Watched& watched_;
};

} // namespace cudabench::cpu
