#pragma once

#include <atomic>

namespace cudabench::cpu {

/// std::atomic_thread_fence. The thread sanitizer knows atomic objects only and has one stand for all fences.
inline void thread_fence([[maybe_unused]] std::memory_order order) {
#ifdef __SANITIZE_THREAD__
    static std::atomic<unsigned> all{0};
    all.fetch_add(1, std::memory_order_acq_rel);
#else
    std::atomic_thread_fence(order);
#endif
}

} // namespace cudabench::cpu
