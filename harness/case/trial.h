#pragma once

#include "case/grade_options.h"
#include "case/task.h"
#include "inputs/draw.h"
#include "outcome/failure.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cudabench {

/// One set of inputs that a candidate's result is verified on.
struct Trial {
    const Shape* shape = nullptr;
    std::uint64_t seed = 0;
    bool integers = false;       ///< inputs by Shape::input_integers instead of Shape::input_values: the second seed's
    bool at_end = false;         ///< buffers end before an unmapped page; else they start at one
    Stage stage = Stage::values; ///< that a wrong result fails
};

/// The trials of a case before it is timed: each edge shape, every other one with inputs of the second seed, then the
/// shape of the scale with two seeds. Buffers lie at the end of their pages for one seed and at the start for the
/// other.
[[nodiscard]] std::vector<Trial> plan_trials(const Task& task, const Shape& scale, std::uint64_t run_seed);
/// Those of them that the options leave to be done.
[[nodiscard]] std::vector<Trial> plan_trials(const Task& task, const Shape& scale, std::uint64_t run_seed,
                                             const GradeOptions& options);

/// The trial that timed repetition `index` amounts to.
[[nodiscard]] Trial repetition_trial(const Shape& scale, std::uint64_t run_seed, std::uint64_t index);

/// The trial as the reference performs it: one recording serves all of a shape.
[[nodiscard]] Trial as_reference(Trial trial);

/// The values of the input at `index` of Task::inputs.
[[nodiscard]] Draw input_draw(const Task& task, const Trial& trial, std::size_t index);

/// For messages: "shape edge_1x1 (rows = 1, cols = 1)", with "inputs of the second seed" where they are.
[[nodiscard]] std::string describe(const Trial& trial, const Task& task);

/// The failure, with the trial that it was found in at the end of its message.
[[nodiscard]] Failure in_trial(const Failure& failure, const Trial& trial, const Task& task);

} // namespace cudabench
