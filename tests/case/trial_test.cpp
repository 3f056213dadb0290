#include "case/trial.h"

#include <gtest/gtest.h>

namespace cudabench {
namespace {

Shape shape(const char* name) {
    Shape shape;
    shape.name = name;
    shape.dims = {1};
    return shape;
}

Task task_with(bool exact_on_integers) {
    Task task;
    task.dims = {"N"};
    task.outputs.emplace_back();
    task.outputs[0].check.exact_on_integers = exact_on_integers;
    task.edges = {shape("edge_1"), shape("edge_31"), shape("edge_257")};
    task.scales = {shape("tiny")};
    return task;
}

/// Also where its results are not exact: it is another hard case, such as values that overflow.
TEST(Trial, HasTheSecondSeedsInputsWhateverTheCheck) {
    for (const bool exact_on_integers : {false, true}) {
        const Task task = task_with(exact_on_integers);
        const auto trials = plan_trials(task, task.scales[0], 7);
        ASSERT_EQ(trials.size(), 5U);
        const bool expected[] = {false, true, false, false, true};
        for (std::size_t i = 0; i < trials.size(); ++i)
            EXPECT_EQ(trials[i].integers, expected[i]) << i;
        EXPECT_EQ(describe(trials[1], task), "shape edge_31 (N = 1), inputs of the second seed");
        EXPECT_NE(trials[3].seed, trials[4].seed);
    }
}

std::vector<std::string> planned(const GradeOptions& options) {
    const Task task = task_with(false);
    std::vector<std::string> names;
    for (const Trial& trial : plan_trials(task, task.scales[0], 7, options))
        names.push_back(trial.shape->name);
    return names;
}

TEST(Trial, IsLeftOutAsTheOptionsSay) {
    using Names = std::vector<std::string>;
    const Names all{"edge_1", "edge_31", "edge_257", "tiny", "tiny"};
    GradeOptions options;
    EXPECT_EQ(planned(options), all);
    options.stop_after = Stage::values;
    EXPECT_EQ(planned(options), all);
    options.edges = false;
    EXPECT_EQ(planned(options), (Names{"tiny", "tiny"}));
    options.edges = true;
    options.stop_after = Stage::edge;
    EXPECT_EQ(planned(options), (Names{"edge_1", "edge_31", "edge_257"}));
}

TEST(Trial, OfTheReferenceLiesAtTheStartOfPages) {
    const Task task = task_with(false);
    const Trial trial = plan_trials(task, task.scales[0], 7)[0];
    ASSERT_TRUE(trial.at_end);
    EXPECT_FALSE(as_reference(trial).at_end);
    EXPECT_EQ(as_reference(trial).seed, trial.seed);
}

} // namespace
} // namespace cudabench
