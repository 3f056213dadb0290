#include "case/live_answers.h"
#include "executor/gpu/executor.h"
#include "measure/time_recipe.h"
#include "recorder/record.h"
#include "recorder/unsafe.h"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace cudabench {
namespace {

constexpr std::size_t elements = 4096;

std::unique_ptr<gpu::Executor> created() {
    auto executor = gpu::Executor::create();
    if (!executor)
        throw std::runtime_error(executor.error().message);
    return std::move(*executor);
}

gpu::Program loaded(const gpu::Executor& executor, const char* module) {
    auto program = executor.load(module);
    if (!program)
        throw std::runtime_error(program.error().message);
    return std::move(*program);
}

struct Tried {
    const char* function;
    const char* module = FEATURES;
};

/// GoogleTest's name for a parameter.
void PrintTo(const Tried& tried, std::ostream* out) {
    *out << tried.function;
}

/// Every function of the candidates sets output = 2 * input + 1.
class Feature : public testing::TestWithParam<Tried> {
protected:
    Feature() {
        for (std::size_t i = 0; i < elements; ++i)
            input_.push_back(static_cast<float>(i % 1000));
        const gpu::WritableInputs writable(buffers_);
        executor_->write(buffers_.inputs()[0].address, std::as_bytes(std::span(input_)));
    }

    recorder::Recording record_and_start(gpu::Performance& performance) {
        const recipe::Call call{.function = GetParam().function,
                                .buffers = {{buffers_.inputs()[0].address, bytes[0], false},
                                            {buffers_.outputs()[0].address, bytes[0], true}},
                                .dims = {elements},
                                .params = {}};
        const recorder::Setup setup{.recorder = RECORDER,
                                    .device = executor_->description(),
                                    .workspace = executor_->workspace(),
                                    .free_bytes = executor_->free_memory(),
                                    .limits = {},
                                    .unsafe = recorder::unsafe_requested()};
        const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call};
        LiveAnswers answers(performance, program_, hello);
        recorder::Recording recording = recorder::record(setup, GetParam().module, call, answers);
        if (!recording.failure)
            if (const auto started = answers.perform_rest(recording.recipe); !started)
                recording.failure = started.error();
        return recording;
    }

    void restart() {
        executor_->restart_recipe(program_, gpu::PoisonPattern::not_a_number, 1);
        buffers_.poison_outputs(executor_->poison(), gpu::PoisonPattern::not_a_number, 1);
    }

    void expect_result(const char* when) {
        std::vector<float> output(elements);
        executor_->read(buffers_.outputs()[0].address, std::as_writable_bytes(std::span(output)));
        for (std::size_t i = 0; i < elements; ++i)
            ASSERT_EQ(output[i], 2 * input_[i] + 1) << when << ", element " << i;
    }

    static constexpr std::array<std::uint64_t, 1> bytes = {elements * sizeof(float)};
    const std::unique_ptr<gpu::Executor> executor_ = created();
    gpu::Program program_ = loaded(*executor_, GetParam().module);
    gpu::ShapeBuffers buffers_ = executor_->buffers(bytes, bytes, gpu::Placement::at_start);
    std::vector<float> input_;
};

TEST_P(Feature, DoesWhatTheRealRuntimeDoes) {
    const gpu::Seconds limit(20);
    executor_->start_recipe(gpu::PoisonPattern::not_a_number, 1);
    restart();
    recorder::Recording recording;
    {
        gpu::Performance performance = executor_->performance(program_, limit);
        recording = record_and_start(performance);
        ASSERT_FALSE(recording.failure) << recording.failure->message;
        const auto finished = performance.finish();
        ASSERT_TRUE(finished) << finished.error().message;
    }
    EXPECT_TRUE(recording.notes.empty()) << recording.notes.front();
    expect_result("as recorded");
    if (recording.recipe.host_dependent())
        return;

    restart();
    const auto again = executor_->perform(program_, recording.recipe, limit);
    ASSERT_TRUE(again) << again.error().message;
    expect_result("performed again");

    restart();
    const measure::Conditions conditions(executor_->device());
    const measure::Around around{.prepare = [&](unsigned) { restart(); }};
    const auto timing = measure::time_recipe(*executor_, conditions, program_, recording.recipe, around, limit);
    ASSERT_TRUE(timing) << timing.error().message;
    EXPECT_TRUE(timing->graph) << "timed operation by operation";
    expect_result("timed");
}

INSTANTIATE_TEST_SUITE_P(
    Recipes, Feature,
    testing::Values(Tried{"large_shared_memory"}, Tried{"pools"}, Tried{"copies_in_three_dimensions"},
                    Tried{"symbol_address"}, Tried{"host_function"}, Tried{"event_times"}, Tried{"managed"},
                    Tried{"managed_without_looking"}, Tried{"managed_variables"}, Tried{"zero_copy"},
                    Tried{"pinned_by_its_pointer"}, Tried{"pinned_staging"}, Tried{"clusters"},
                    Tried{"declared_clusters"}, Tried{"large_clusters"}, Tried{"programmatic_launch"},
                    Tried{"cooperative_grid"}, Tried{"texture_of_an_array"}, Tried{"texture_of_memory"},
                    Tried{"texture_of_rows"}, Tried{"surface_of_a_volume"}, Tried{"captured_graph"},
                    Tried{"graph_with_memory"}, Tried{"graph_by_hand"}, Tried{"tensor_map"},
                    Tried{"tensor_map_by_name"}, Tried{"separate_compilation", RELOCATABLE},
                    Tried{"kernel_from_kernel", RELOCATABLE}),
    [](const auto& tried) { return std::string(tried.param.function); });

} // namespace
} // namespace cudabench
