#include "worker/request.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace cudabench::worker {
namespace {

using Json = nlohmann::json;

Json whole() {
    return {{"id", "candidate"},      {"task", "softmax"},      {"scale", "tiny"},
            {"source", "softmax.cu"}, {"module", "/m.so"},      {"compile_record", "/r"},
            {"edges", false},         {"stop_after", "values"}, {"seed", "0xffffffffffffffff"},
            {"host_seconds", 0.25},   {"device_seconds", 3}};
}

TEST(WorkerRequest, IsReadWhole) {
    const Request request = read_request(whole());
    EXPECT_EQ(request.task, "softmax");
    EXPECT_EQ(request.scale, "tiny");
    EXPECT_EQ(request.graded.module, "/m.so");
    EXPECT_EQ(request.graded.compile_record, "/r");
    EXPECT_EQ(request.options.seed, ~std::uint64_t{0});
    EXPECT_EQ(request.options.stop_after, Stage::values);
    EXPECT_FALSE(request.options.edges);
    EXPECT_EQ(request.options.limits.host_time, std::chrono::milliseconds(250));
    EXPECT_EQ(request.options.device_limit, gpu::Seconds(3));
}

TEST(WorkerRequest, LeavesToCtestsDefaultsWhatIsNotGiven) {
    Json json = whole();
    for (const char* field : {"seed", "host_seconds", "device_seconds"})
        json[field] = nullptr;
    json.erase("edges");
    const GradeOptions options = read_request(json).options;
    EXPECT_FALSE(options.seed);
    EXPECT_FALSE(options.device_limit);
    EXPECT_EQ(options.limits.host_time, GradeOptions{}.limits.host_time);
    EXPECT_TRUE(options.edges);
    EXPECT_FALSE(options.last);
}

TEST(WorkerRequest, MayBeTheLast) {
    Json json = whole();
    json["last"] = true;
    EXPECT_TRUE(read_request(json).options.last);
}

Json to_be_counted() {
    Json json = whole();
    json["count"] = true;
    json["source_sha256"] = "e3b0";
    json.erase("stop_after");
    return json;
}

TEST(WorkerRequest, MayBeToCount) {
    EXPECT_FALSE(read_request(whole()).count);
    const Request request = read_request(to_be_counted());
    EXPECT_TRUE(request.count);
    EXPECT_EQ(request.source_sha256, "e3b0");
    EXPECT_EQ(request.options.limits.host_time, std::chrono::milliseconds(250));
}

TEST(WorkerRequest, MayOnlySayWhatToPrepareFor) {
    EXPECT_FALSE(read_request(whole()).prepare);
    const Request request =
        read_request({{"prepare", true}, {"task", "softmax"}, {"scale", "tiny"}, {"stop_after", "edge"}});
    EXPECT_TRUE(request.prepare);
    EXPECT_EQ(request.task, "softmax");
    EXPECT_EQ(request.scale, "tiny");
    EXPECT_EQ(request.options.stop_after, Stage::edge);
    EXPECT_TRUE(request.options.edges);
}

std::string refusal(const Json& json) {
    try {
        static_cast<void>(read_request(json));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "accepted";
}

class Wrong : public testing::TestWithParam<std::pair<const char*, Json>> {};

TEST_P(Wrong, FieldIsNamed) {
    const auto& [field, value] = GetParam();
    Json json = whole();
    json[field] = value;
    EXPECT_EQ(refusal(json).substr(0, std::string(field).size() + 1), std::string(field) + ":") << refusal(json);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Wrong,
    testing::Values(std::pair<const char*, Json>{"task", 3}, std::pair<const char*, Json>{"id", ""},
                    std::pair<const char*, Json>{"module", nullptr},
                    std::pair<const char*, Json>{"seed", "12345678901234567890"},
                    std::pair<const char*, Json>{"seed", "0x"}, std::pair<const char*, Json>{"stop_after", "measured"},
                    std::pair<const char*, Json>{"edges", 1}, std::pair<const char*, Json>{"last", 1},
                    std::pair<const char*, Json>{"prepare", 1}, std::pair<const char*, Json>{"host_seconds", 0},
                    std::pair<const char*, Json>{"device_seconds", "1"}));

TEST(WorkerRequest, ToCountNeedsTheSeedAndTheSourceOfTheGrading) {
    Json json = to_be_counted();
    json["seed"] = nullptr;
    EXPECT_EQ(refusal(json), "seed: must be that of the grading that is counted");
    json = to_be_counted();
    json.erase("source_sha256");
    EXPECT_EQ(refusal(json), "source_sha256: must be a text");
}

TEST(WorkerRequest, MustBeAnObject) {
    EXPECT_EQ(refusal(Json::parse("[1", nullptr, false)), "a request is a JSON object in one line");
}

} // namespace
} // namespace cudabench::worker
