#include "case/counted_case.h"

#include "case/case_process.h"
#include "case/properties.h"
#include "case/result.h"
#include "case/text_file.h"
#include "driver/lost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace cudabench {
namespace {

using Json = nlohmann::json;

/// The selected cases of each candidate, as a GoogleTest filter, by the candidate's module.
std::map<std::string, std::string> filters_by_candidate(const Suite& suite) {
    std::set<std::string> selected;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i)
        for (int k = 0; k < all.GetTestSuite(i)->total_test_count(); ++k)
            if (const testing::TestInfo& test = *all.GetTestSuite(i)->GetTestInfo(k); test.should_run())
                selected.insert(test.name());
    std::map<std::string, std::string> filters;
    for (const Case& one : suite.cases)
        if (selected.contains(one.id)) {
            std::string& filter = filters[one.module];
            filter += (filter.empty() ? "" : ":") + suite.task.name + "." + one.id;
        }
    return filters;
}

Json parsed(const std::filesystem::path& file) {
    return Json::parse(read_text(file), nullptr, false);
}

} // namespace

std::unique_ptr<CountedCase::Counters>& CountedCase::counters() {
    static std::unique_ptr<Counters> one;
    return one;
}

void CountedCase::TestBody() {
    static const std::map<std::string, std::string> filters = filters_by_candidate(state_.suite);
    static std::set<std::string> counted_elsewhere;
    const Json result = parsed(state_.paths.result_of(counted_));
    const Json record = parsed(state_.paths.root / counted_.compile_record);
    const std::string source = record.is_object() ? record.value("source_sha256", "") : "";
    if (const std::string reason = reason_against(result, source); !reason.empty()) {
        std::filesystem::remove(state_.paths.counters_of(counted_));
        return skip(reason);
    }
    if (driver::lost())
        count_elsewhere(state_.suite.task.name + "." + counted_.id);
    else if (filters.size() > 1) {
        if (counted_elsewhere.insert(counted_.module).second)
            count_elsewhere(filters.at(counted_.module));
    } else
        count_in_process(result, source);
    if (!IsSkipped() && !HasFatalFailure())
        report(parsed(state_.paths.counters_of(counted_)), result);
}

std::string CountedCase::reason_against(const Json& result, const std::string& source_sha256) {
    if (!result.is_object())
        return "there is no result to count for: run the case first";
    if (result.value("verdict", "") != "pass")
        return "the case has not passed";
    if (result.at("candidate").value("source_sha256", "") != source_sha256)
        return "the candidate was built anew after it was graded: run the case again first";
    return "";
}

void CountedCase::count_in_process(const Json& result, const std::string& source_sha256) {
    if (!counters()) {
        auto created = gpu::Executor::create();
        if (!created && created.error().stage == Stage::not_run)
            return skip(created.error().message);
        ASSERT_TRUE(created) << created.error().message;
        counters() = std::make_unique<Counters>(std::move(*created));
    }
    const std::uint64_t seed = std::stoull(result.at("seed").get<std::string>(), nullptr, 16);
    const CountedResult counted = counters()->counting.count(state_.suite, counted_, state_.paths, seed);
    write_atomically(state_.paths.counters_of(counted_), to_json(state_.suite, counted_, counted, source_sha256));
}

void CountedCase::count_elsewhere(const std::string& filter) {
    std::filesystem::remove(state_.paths.counters_of(counted_));
    const int code = run_case_process(filter, "--counters");
    if (code != exit_passed && code != exit_failed && code != exit_not_run)
        ADD_FAILURE() << "the counting process ended with " << code;
}

void CountedCase::report(const Json& counted, const Json& result) {
    if (!counted.is_object())
        return skip("was not counted: run this case alone to see why");
    if (counted.at("counters") != "measured") {
        record_properties({{"counters", "declared"}, {"reason", counted.at("reason")}});
        return skip(fmt::format("the model's work stands: {}", counted.at("reason").get<std::string>()));
    }
    const Json& counts = counted.at("counts");
    const double seconds = result.at("measurement").at("seconds");
    const auto count = [&](const char* name) { return counts.value(name, 0.0); };
    const double fp32 = count("fp32");
    const double tensor = count("tensor_tf32") + count("tensor_half");
    const double bytes = count("dram_bytes_read") + count("dram_bytes_write");
    Json properties = {{"counters", "measured"},
                       {"flops_fp32", fp32},
                       {"flops_fp64", count("fp64")},
                       {"flops_fp16", count("fp16")},
                       {"flops_tensor", tensor},
                       {"dram_bytes_read", count("dram_bytes_read")},
                       {"dram_bytes_write", count("dram_bytes_write")},
                       {"time_seconds", seconds},
                       {"achieved_fp32_flop_per_second", fp32 / seconds},
                       {"achieved_tensor_flop_per_second", tensor / seconds},
                       {"achieved_dram_bytes_per_second", bytes / seconds},
                       {"counting_seconds", counted.at("seconds")}};
    fmt::print("{:.6g} FLOP, {:.6g} bytes of DRAM in {:.6g} s", fp32 + tensor, bytes, seconds);
    if (counted.at("attainable_seconds").is_number()) {
        const double performance = counted.at("attainable_seconds").get<double>() / seconds;
        properties["performance_score"] = performance;
        fmt::print(", Performance-Score {:.3f}", performance);
    }
    fmt::print("\n");
    record_properties(properties);
}

void CountedCase::skip(const std::string& why) {
    state_.not_run_seen = true;
    GTEST_SKIP() << "not counted: " << why;
}

} // namespace cudabench
