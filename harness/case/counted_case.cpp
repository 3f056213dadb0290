#include "case/counted_case.h"

#include "case/case_process.h"
#include "case/properties.h"
#include "case/result.h"
#include "case/text_file.h"
#include "outcome/shown_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace cudabench {
namespace {

using Json = nlohmann::json;

std::set<std::string> selected_cases() {
    std::set<std::string> selected;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i)
        for (int k = 0; k < all.GetTestSuite(i)->total_test_count(); ++k)
            if (const testing::TestInfo& test = *all.GetTestSuite(i)->GetTestInfo(k); test.should_run())
                selected.insert(test.name());
    return selected;
}

Json parsed(const std::filesystem::path& file) {
    return Json::parse(read_text(file), nullptr, false);
}

} // namespace

void CountedCase::TestBody() {
    static std::set<std::string> begun; // candidates, by their modules
    const Json result = parsed(state_.paths.result_of(counted_));
    const auto file = state_.paths.counters_of(counted_);
    if (const std::string reason = reason_against(counted_, result); !reason.empty()) {
        std::filesystem::remove(file);
        return skip(reason);
    }
    int code = exit_passed;
    if (begun.insert(counted_.module).second)
        code = count(filter_of_candidate());
    if (code != exit_not_run && !std::filesystem::exists(file))
        code = count(state_.suite.task.name + "." + counted_.id);
    if (std::filesystem::exists(file))
        report(parsed(file), result);
    else if (code == exit_not_run)
        skip("the counting process tells why");
    else
        ADD_FAILURE() << "was not counted, see above";
}

std::string CountedCase::reason_against(const Case& one, const Json& result) const {
    if (!result.is_object())
        return "there is no result to count for: run the case first";
    if (result.value("verdict", "") != "pass")
        return "the case has not passed";
    const Json record = parsed(state_.paths.root / one.compile_record);
    if (!record.is_object() || result.at("candidate").value("source_sha256", "") != record.value("source_sha256", ""))
        return "the candidate was built anew after it was graded: run the case again first";
    return "";
}

std::string CountedCase::filter_of_candidate() const {
    static const std::set<std::string> selected = selected_cases();
    std::string filter;
    for (const Case& one : state_.suite.cases)
        if (one.module == counted_.module && selected.contains(one.id) &&
            reason_against(one, parsed(state_.paths.result_of(one))).empty()) {
            std::filesystem::remove(state_.paths.counters_of(one));
            filter += (filter.empty() ? "" : ":") + state_.suite.task.name + "." + one.id;
        }
    return filter;
}

int CountedCase::count(const std::string& filter) {
    const int code = run_case_process(filter, "--count-here");
    if (code != exit_passed && code != exit_failed && code != exit_not_run)
        ADD_FAILURE() << "the counting process " << ending(code) << "; what it had not counted is counted by another";
    return code;
}

void CountedCase::report(const Json& counted, const Json& result) {
    if (counted.at("counters") != "measured") {
        const std::string reason = shown_text(counted.at("reason").get<std::string>());
        record_properties({{"counters", "declared"}, {"reason", reason}});
        return skip("the model's work stands: " + reason);
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
