#include "case/graded_case.h"

#include "case/case_process.h"
#include "case/grade.h"
#include "case/measurement_tags.h"
#include "case/properties.h"
#include "case/result.h"
#include "case/text_file.h"
#include "outcome/shown_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string_view>

namespace cudabench {
namespace {

/// The result of a case that has begun: what remains if the process is killed before it writes the real one.
Result unfinished() {
    Result result;
    result.failure = Failure{Stage::not_run, "did not finish: the case process was interrupted or killed"};
    return result;
}

/// CUDABENCH_STOP_AFTER=values leaves out what takes time only: under a sanitizer times mean nothing.
Result graded(const Suite& suite, const Case& one, const SuitePaths& paths) {
    GradeOptions options;
    if (const char* stage = std::getenv("CUDABENCH_STOP_AFTER"); stage != nullptr) {
        if (std::string_view(stage) != name(Stage::values)) {
            Result result;
            result.failure = Failure{Stage::fault, fmt::format("CUDABENCH_STOP_AFTER is {}: must be values", stage)};
            return result;
        }
        options.stop_after = Stage::values;
    }
    return grade(suite, one, paths, options);
}

} // namespace

void GradedCase::TestBody() {
    const auto file = state_.paths.result_of(graded_);
    if (testing::UnitTest::GetInstance()->test_to_run_count() > 1) {
        const int code = run_case_process(state_.suite.task.name + "." + graded_.id);
        if (code != exit_passed && code != exit_failed && code != exit_fault && code != exit_not_run)
            ADD_FAILURE() << "the case process " << ending(code);
    } else {
        write_atomically(file, to_json(state_.suite, graded_, unfinished()));
        write_atomically(file, to_json(state_.suite, graded_, graded(state_.suite, graded_, state_.paths)));
    }
    report(nlohmann::json::parse(read_text(file)));
}

void GradedCase::report(const nlohmann::json& result) {
    nlohmann::json properties = result;
    properties.erase("case");
    record_properties(properties);
    const std::string verdict = result.at("verdict");
    const std::string message = shown_text(result.at("message").get<std::string>());
    if (result.at("stage") != "compile") // for which nothing was drawn
        fmt::print("seed {} (CUDABENCH_SEED repeats it)\n", result.at("seed").get<std::string>());
    fmt::print("{}", measurement_tags(result));
    if (verdict == "not_run") {
        state_.not_run_seen = true;
        GTEST_SKIP() << "not run: " << message;
    } else if (verdict != "pass") {
        state_.fault_seen = state_.fault_seen || verdict == "fault";
        ADD_FAILURE() << "stage " << result.at("stage").get<std::string>() << ": " << message;
    } else if (!result.at("scores").is_null()) {
        fmt::print("{:.6g} s, Performance-Score {:.3f}, speed of light {:.3f}\n",
                   result.at("measurement").at("seconds").get<double>(),
                   result.at("scores").at("performance").get<double>(),
                   result.at("scores").at("speed_of_light").get<double>());
    }
}

} // namespace cudabench
