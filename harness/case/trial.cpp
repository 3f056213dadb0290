#include "case/trial.h"

#include "inputs/seed.h"

#include <fmt/format.h>

namespace cudabench {

std::vector<Trial> plan_trials(const Task& task, const Shape& scale, std::uint64_t run_seed) {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < task.edges.size(); ++i)
        trials.push_back({.shape = &task.edges[i],
                          .seed = derive_seed(run_seed, Purpose::edge, i),
                          .integers = i % 2 == 1,
                          .at_end = true,
                          .stage = Stage::edge});
    trials.push_back({.shape = &scale,
                      .seed = derive_seed(run_seed, Purpose::values),
                      .integers = false,
                      .at_end = true,
                      .stage = Stage::values});
    trials.push_back({.shape = &scale,
                      .seed = derive_seed(run_seed, Purpose::integers),
                      .integers = true,
                      .at_end = false,
                      .stage = Stage::values});
    return trials;
}

std::vector<Trial> plan_trials(const Task& task, const Shape& scale, std::uint64_t run_seed,
                               const GradeOptions& options) {
    std::vector<Trial> trials = plan_trials(task, scale, run_seed);
    std::erase_if(trials, [&](const Trial& trial) {
        return trial.stage == Stage::edge ? !options.edges : options.stop_after == Stage::edge;
    });
    return trials;
}

Trial repetition_trial(const Shape& scale, std::uint64_t run_seed, std::uint64_t index) {
    return {.shape = &scale,
            .seed = derive_seed(run_seed, Purpose::repetition, index),
            .integers = false,
            .at_end = false,
            .stage = Stage::measured};
}

Trial as_reference(Trial trial) {
    trial.at_end = false;
    return trial;
}

Draw input_draw(const Task& task, const Trial& trial, std::size_t index) {
    const std::vector<Distribution>& values = trial.integers ? trial.shape->input_integers : trial.shape->input_values;
    return prepare_draw(values.at(index), task.inputs.at(index).dtype, trial.seed, static_cast<std::uint32_t>(index),
                        trial.shape->input_elements.at(index));
}

std::string describe(const Trial& trial, const Task& task) {
    std::string dims;
    for (std::size_t i = 0; i < task.dims.size(); ++i)
        dims += fmt::format("{}{} = {}", i == 0 ? "" : ", ", task.dims[i], trial.shape->dims.at(i));
    return fmt::format("shape {} ({}){}", trial.shape->name, dims, trial.integers ? ", inputs of the second seed" : "");
}

Failure in_trial(const Failure& failure, const Trial& trial, const Task& task) {
    return {failure.stage, fmt::format("{}; {}", failure.message, describe(trial, task))};
}

} // namespace cudabench
