#pragma once

#include "case/task.h"
#include "executor/cpu/counts.h"
#include "measure/gpu_state.h"
#include "measure/sustained.h"
#include "outcome/failure.h"
#include "recipe/operation.h"
#include "roofline/peaks.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench {

/// One element that differs from the reference.
struct Mismatch {
    std::uint64_t index = 0;
    double expected = 0;
    double got = 0;
    double allowed = 0; ///< absolute
};

/// The elements of one output that differ.
struct Mismatches {
    std::string output;
    std::uint64_t count = 0;
    std::uint64_t total = 0;
    std::vector<Mismatch> first; ///< at most three, by index
};

/// The time of a candidate's recipe; see measure/.
struct Measurement {
    double seconds = 0; ///< median
    double low = 0;     ///< bounds of the 95 % order-statistic interval of the median, seconds
    double high = 0;
    int repetitions = 0;
    double spread = 0; ///< interquartile range over median
    double empty_recipe_seconds = 0;
    double sm_clock_hz = 0;
    bool steady = false;                  ///< the interval reached its target
    bool host_gaps = false;               ///< time from first to last operation, host code included
    std::optional<measure::GpuState> gpu; ///< after the last repetition
};

struct Scores {
    double performance = 0;
    double speed_of_light = 0;
    double attainable_seconds = 0; ///< T(model)
};

/// Where the seconds of a case went.
struct Costs {
    double context = 0;
    double waiting = 0; ///< for other processes on the same GPU; also part of the others, but not of timing
    double recording = 0;
    double inputs = 0;
    double candidate = 0;
    double timing = 0;
    double reference = 0;
    double verification = 0;
    double total = 0;
};

/// Everything that is known of a graded case, as docs/results.md lays it down.
struct Result {
    std::optional<Failure> failure; ///< none: passed
    std::optional<Mismatches> mismatches;
    std::uint64_t seed = 0;
    bool confined = true;
    bool host_dependent = false;
    std::vector<recipe::Address> buffers; ///< inputs, then outputs, as the recipe saw them
    recipe::Recipe recipe;                ///< of the last shape that was recorded
    std::string device_name;
    std::string device_uuid;
    int driver_version = 0;
    std::optional<roofline::Peaks> peaks;        ///< nominal; none of a GPU that is not known
    std::optional<measure::Sustained> sustained; ///< what it reaches
    std::string compile_record;                  ///< JSON text; empty if there is none
    std::optional<Measurement> measurement;
    std::optional<Work> work;
    std::optional<Scores> scores;
    std::optional<cpu::Counts> executed; ///< on the CPU, at the scale's shape
    std::vector<std::string> marks;
    std::string printed; ///< what host and device code wrote, the first 4 KiB
    Costs seconds;
};

/// "pass", "fail", "not_run" or "fault".
[[nodiscard]] std::string_view verdict(const Result& result);

struct Case;
struct Suite;

/// The result as the JSON text of docs/results.md.
[[nodiscard]] std::string to_json(const Suite& suite, const Case& graded, const Result& result);

/// Writes `text` to `path` so that a reader sees the old file or the whole new one. Throws std::runtime_error naming
/// the file and the cause (a full disk, no permission).
void write_atomically(const std::filesystem::path& path, const std::string& text);

} // namespace cudabench
