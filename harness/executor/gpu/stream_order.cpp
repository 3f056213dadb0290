#include "executor/gpu/stream_order.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cudabench::gpu {
namespace {
constexpr recipe::StreamId default_stream = 0;
}

StreamOrder::StreamOrder(const driver::Driver& driver, CUstream main) : driver_(driver) {
    State& state = streams_[default_stream];
    state.stream = main;
    state.used = true;
}

StreamOrder::State& StreamOrder::state(recipe::StreamId id) {
    const auto found = streams_.find(id);
    if (found == streams_.end())
        throw std::logic_error(fmt::format("a recipe uses stream {} before it creates it", id));
    return found->second;
}

CUevent StreamOrder::record_in(CUstream stream) {
    recorded_.push_back(driver::make_event(driver_));
    driver_.cuEventRecord(recorded_.back().get(), stream);
    return recorded_.back().get();
}

void StreamOrder::wait_in(CUstream stream, CUevent event) {
    driver_.cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_DEFAULT);
}

void StreamOrder::begin() {
    State& main = state(default_stream);
    host_waits_.push_back(record_in(main.stream));
    main.host_waits = host_waits_.size();
}

void StreamOrder::join() {
    const CUstream main = state(default_stream).stream;
    for (auto& [id, other] : streams_) {
        if (id == default_stream || !other.used)
            continue;
        wait_in(main, record_in(other.stream));
        other.ahead = false;
    }
}

void StreamOrder::create(const recipe::CreateStream& operation) {
    State state;
    state.owned = driver::make_stream(driver_);
    state.stream = state.owned.get();
    state.blocking = operation.blocking;
    if (!streams_.try_emplace(operation.stream, std::move(state)).second)
        throw std::logic_error(fmt::format("a recipe creates stream {} twice", operation.stream));
}

CUstream StreamOrder::enter(recipe::StreamId id) {
    State& entered = state(id);
    entered.used = true;
    for (; entered.host_waits < host_waits_.size(); ++entered.host_waits)
        wait_in(entered.stream, host_waits_[entered.host_waits]);

    if (id == default_stream) {
        for (auto& [other_id, other] : streams_) {
            if (other_id == default_stream || !other.blocking || !other.ahead)
                continue;
            wait_in(entered.stream, record_in(other.stream));
            other.ahead = false;
        }
        ++main_version_;
        return entered.stream;
    }
    if (entered.blocking && entered.main_version != main_version_) {
        if (main_event_version_ != main_version_) {
            main_event_ = record_in(state(default_stream).stream);
            main_event_version_ = main_version_;
        }
        wait_in(entered.stream, main_event_);
        entered.main_version = main_version_;
    }
    entered.ahead = true;
    return entered.stream;
}

void StreamOrder::record(const recipe::RecordEvent& operation) {
    events_[operation.event] = record_in(enter(operation.stream));
}

void StreamOrder::wait(const recipe::WaitEvent& operation) {
    const CUstream stream = enter(operation.stream);
    if (const auto event = events_.find(operation.event); event != events_.end())
        wait_in(stream, event->second);
}

void StreamOrder::synchronize(const recipe::Synchronize& operation) {
    using Scope = recipe::Synchronize::Scope;
    switch (operation.scope) {
    case Scope::device:
        for (auto& [id, any] : streams_)
            if (any.used)
                host_waits_.push_back(record_in(any.stream));
        return;
    case Scope::stream: host_waits_.push_back(record_in(enter(operation.id))); return;
    case Scope::event:
        if (const auto event = events_.find(operation.id); event != events_.end())
            host_waits_.push_back(event->second);
        return;
    }
}

} // namespace cudabench::gpu
