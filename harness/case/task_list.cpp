#include "case/task_list.h"

#include "case/task_json.h"
#include "case/text_file.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace cudabench {

using Json = nlohmann::json;

TaskList::TaskList(const std::filesystem::path& file)
    : references_(std::filesystem::absolute(file).parent_path() / "references") {
    Json content = Json::parse(read_text(file), nullptr, false);
    if (!content.is_object() || !content.contains("tasks") || !content["tasks"].is_array())
        throw std::runtime_error(fmt::format("{}: is no list of tasks; configure the build tree again", file.string()));
    tasks_ = std::move(content["tasks"]);
}

Task TaskList::task(const std::string& name) const {
    for (const Json& one : tasks_)
        if (one.is_object() && one.value("name", "") == name)
            return task_from_json(one);
    throw std::runtime_error(fmt::format("task: there is none that is called {}", name));
}

std::filesystem::path TaskList::reference(const Task& task) const {
    return references_ / (task.name + ".so");
}

} // namespace cudabench
