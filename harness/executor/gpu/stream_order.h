#pragma once

#include "driver/stream.h"
#include "recipe/operation.h"

#include <cstddef>
#include <map>
#include <vector>

namespace cudabench::gpu {

/// Puts the streams, events and waits of a recipe into effect, on streams that do not synchronise by themselves, by
/// events alone: so the same calls can also be captured into a graph. Rules of the CUDA programming guide:
/// - Work in the legacy default stream waits for all earlier work of blocking streams; later work in these waits for
/// it.
/// - What the host waited for comes before everything that it asks for later, in every stream.
/// - Everything comes after begin(); join() comes after everything.
/// Throws driver::DriverError, and std::logic_error for a stream that was not created.
class StreamOrder {
public:
    /// `main`, not owned, stands for the legacy default stream.
    StreamOrder(const driver::Driver& driver, CUstream main);

    void begin();
    void join();

    void create(const recipe::CreateStream& operation);
    /// The stream in which to start an operation that the recipe puts in `id`, now that its order is ensured.
    [[nodiscard]] CUstream enter(recipe::StreamId id);

    void record(const recipe::RecordEvent& operation);
    void wait(const recipe::WaitEvent& operation);
    void synchronize(const recipe::Synchronize& operation);

private:
    struct State {
        driver::Stream owned; ///< empty for the main stream
        CUstream stream = nullptr;
        bool blocking = true;
        bool used = false;
        bool ahead = false;           ///< has work that the main stream has not waited for
        std::size_t host_waits = 0;   ///< how many of host_waits_ it waits for
        std::size_t main_version = 0; ///< the last work of the main stream that it waits for
    };

    State& state(recipe::StreamId id);
    CUevent record_in(CUstream stream);
    void wait_in(CUstream stream, CUevent event);

    const driver::Driver& driver_;
    std::map<recipe::StreamId, State> streams_;
    std::map<recipe::EventId, CUevent> events_; ///< by last record
    std::vector<driver::Event> recorded_;       ///< one a record, so that records do not overtake waits
    std::vector<CUevent> host_waits_;           ///< what the host waited for, in order
    std::size_t main_version_ = 0;              ///< counts the work of the main stream
    std::size_t main_event_version_ = 0;        ///< the work that main_event_ marks
    CUevent main_event_ = nullptr;
};

} // namespace cudabench::gpu
