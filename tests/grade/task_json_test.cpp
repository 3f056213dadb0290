#include "case/task_json.h"
#include "case/text_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace cudabench {
namespace {

using Json = nlohmann::json;

Json written() {
    return Json::parse(read_text(CUDABENCH_TASKS_JSON)).at("tasks");
}

/// What ctest's programs have compiled in, of each domain one.
std::vector<Task> compiled() {
    return {
#include "compiled_tasks.inc"
    };
}

TEST(TaskJson, GivesTheTasksThatTestProgramsHave) {
    const Json tasks = written();
    const std::vector<Task> expected = compiled();
    ASSERT_GT(expected.size(), 5);
    for (const Task& one : expected) {
        const auto found =
            std::find_if(tasks.begin(), tasks.end(), [&](const Json& task) { return task.at("name") == one.name; });
        ASSERT_NE(found, tasks.end()) << one.name;
        EXPECT_EQ(task_from_json(*found), one) << one.name;
    }
}

std::string refusal(const Json& task) {
    try {
        static_cast<void>(task_from_json(task));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(TaskJson, SaysWhereItIsWrong) {
    Json task = written().at(0);
    const std::string name = task.at("name");

    Json lacking = task;
    lacking["scales"][2]["model"].erase("fp32");
    EXPECT_EQ(refusal(lacking), "task " + name + ".scales[2].model lacks fp32");

    Json wrong_type = task;
    wrong_type["scales"][0]["dims"] = "many";
    EXPECT_EQ(refusal(wrong_type), "task " + name + ".scales[0].dims has a value of the wrong type");

    Json unknown = task;
    unknown["inputs"][0]["dtype"] = "float8";
    EXPECT_EQ(refusal(unknown), "task " + name + ".inputs[0].dtype is float8, which is unknown");

    Json no_list = task;
    no_list["outputs"] = 3;
    EXPECT_EQ(refusal(no_list), "task " + name + ".outputs is no list");

    EXPECT_EQ(refusal(Json(7)), "task ? lacks name");
}

} // namespace
} // namespace cudabench
