#pragma once

#include "recorder/record.h"

#include <filesystem>
#include <future>
#include <optional>
#include <vector>

namespace cudabench::recorder {

using RecordingAhead = std::future<std::optional<Recording>>;

/// Begins to record a call in a thread of its own, before it is performed: most host code asks nothing of the device.
/// None if it fails, asks something or takes more than a little of anything; record() then says what there is to say.
/// The future waits for it when it is destroyed. Where the system gives no thread, it is recorded when it is waited
/// for. Recording::seconds is 0: what is spent is what waiting for it takes.
[[nodiscard]] RecordingAhead record_ahead(Setup setup, const std::filesystem::path& module, const recipe::Call& call);

/// Recordings ahead that are wanted any number of times, by what is called in which state of a module's file: one that
/// was built anew meanwhile is another. For one thread.
class RecordingsAhead {
public:
    /// Nothing if it was begun before.
    void begin(const Setup& setup, const std::filesystem::path& module, const recipe::Call& call);
    /// For all that was begun.
    void wait() const;
    /// Waits for it. None also if it was not begun.
    [[nodiscard]] std::optional<Recording> find(const std::filesystem::path& module, const recipe::Call& call) const;

private:
    struct Begun {
        std::filesystem::path module;
        std::filesystem::file_time_type written;
        recipe::Call call;
        std::shared_future<std::optional<Recording>> recording;
    };

    [[nodiscard]] const Begun* begun(const std::filesystem::path& module, const recipe::Call& call) const;

    std::vector<Begun> begun_;
};

} // namespace cudabench::recorder
