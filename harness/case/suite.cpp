#include "case/case.h"
#include "case/case_process.h"
#include "case/compile_record.h"
#include "case/grade.h"
#include "case/result.h"
#include "case/suite_paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <unistd.h>

namespace cudabench {
namespace {

constexpr int exit_passed = 0;
constexpr int exit_failed = 1;
constexpr int exit_nothing_selected = 2;
constexpr int exit_fault = 4;
constexpr int exit_not_run = 77;

bool fault_seen = false;
bool not_run_seen = false;

/// Everything of a result that is a number or a short text, as properties of the GoogleTest case.
void record_properties(const nlohmann::json& json, const std::string& prefix = "") {
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            record_properties(value, prefix + key + ".");
        else if (value.is_string() && value.get_ref<const std::string&>().size() < 200)
            testing::Test::RecordProperty(prefix + key, value.get<std::string>());
        else if (value.is_number() || value.is_boolean())
            testing::Test::RecordProperty(prefix + key, value.dump());
    }
}

/// The result of a case that has begun: what remains if the process is killed before it writes the real one.
Result unfinished() {
    Result result;
    result.failure = Failure{Stage::not_run, "did not finish: the case process was interrupted or killed"};
    return result;
}

Result grade_without_throwing(const Suite& suite, const Case& graded, const SuitePaths& paths) {
    try {
        return grade(suite, graded, paths);
    } catch (const std::exception& error) {
        Result result;
        result.failure = Failure{Stage::fault, error.what()};
        return result;
    }
}

class GradedCase : public testing::Test {
public:
    GradedCase(const Suite& suite, const SuitePaths& paths, const Case& graded)
        : suite_(suite), paths_(paths), graded_(graded) {}

private:
    void TestBody() override {
        if (testing::UnitTest::GetInstance()->test_to_run_count() > 1) {
            const int code = run_case_process(suite_.task.name + "." + graded_.id);
            if (code != exit_passed && code != exit_failed && code != exit_fault && code != exit_not_run)
                ADD_FAILURE() << "the case process ended with " << code;
        } else {
            write_atomically(paths_.result_of(graded_), to_json(suite_, graded_, unfinished()));
            const Result result = grade_without_throwing(suite_, graded_, paths_);
            write_atomically(paths_.result_of(graded_), to_json(suite_, graded_, result));
        }
        report(nlohmann::json::parse(read_text(paths_.result_of(graded_))));
    }

    static void report(const nlohmann::json& result) {
        nlohmann::json properties = result;
        properties.erase("case");
        record_properties(properties);
        const std::string verdict = result.at("verdict");
        const std::string message = result.at("message");
        fmt::print("seed {} (CUDABENCH_SEED repeats it)\n", result.at("seed").get<std::string>());
        if (verdict == "not_run") {
            not_run_seen = true;
            GTEST_SKIP() << "not run: " << message;
        } else if (verdict != "pass") {
            fault_seen = fault_seen || verdict == "fault";
            ADD_FAILURE() << "stage " << result.at("stage").get<std::string>() << ": " << message;
        } else if (!result.at("scores").is_null()) {
            fmt::print("{:.6g} s, Performance-Score {:.3f}, speed of light {:.3f}\n",
                       result.at("measurement").at("seconds").get<double>(),
                       result.at("scores").at("performance").get<double>(),
                       result.at("scores").at("speed_of_light").get<double>());
        }
    }

    const Suite& suite_;
    const SuitePaths& paths_;
    const Case& graded_;
};

int exit_code(int googletest_code) {
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    if (testing::GTEST_FLAG(list_tests))
        return exit_passed;
    if (all.test_to_run_count() == 0) {
        fmt::print(stderr, "no case matches --gtest_filter={}; --gtest_list_tests shows them all\n",
                   testing::GTEST_FLAG(filter));
        return exit_nothing_selected;
    }
    if (fault_seen)
        return exit_fault;
    if (googletest_code != 0)
        return exit_failed;
    return not_run_seen ? exit_not_run : exit_passed;
}

} // namespace

int run_suite(int argc, char** argv, const Suite& suite) {
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) {
        fmt::print(stderr, "{}: unknown argument {}; --help lists GoogleTest's\n", argv[0], argv[1]);
        return exit_nothing_selected;
    }
    const SuitePaths paths(suite);
    for (const Case& graded : suite.cases)
        testing::RegisterTest(
            suite.task.name.c_str(), graded.id.c_str(), nullptr, graded.candidate.c_str(), __FILE__, __LINE__,
            [&suite, &paths, &graded]() -> testing::Test* { return new GradedCase(suite, paths, graded); });
    const int code = exit_code(RUN_ALL_TESTS());
    // A lost CUDA context would hang in its destructors.
    std::fflush(nullptr);
    ::_exit(code);
}

} // namespace cudabench
