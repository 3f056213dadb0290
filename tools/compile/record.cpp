#include "compile/record.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace cudabench::compile {
namespace {

constexpr int schema = 1;
constexpr std::size_t output_capacity = 64 << 10;

nlohmann::json to_json(const KernelResources& kernel) {
    return {{"name", kernel.name},
            {"registers", kernel.registers},
            {"shared_bytes", kernel.shared_bytes},
            {"stack_bytes", kernel.stack_bytes},
            {"spill_stores", kernel.spill_stores},
            {"spill_loads", kernel.spill_loads},
            {"constant_bytes", kernel.constant_bytes}};
}

KernelResources kernel_of(const nlohmann::json& json) {
    return {.name = json.at("name"),
            .registers = json.at("registers"),
            .shared_bytes = json.at("shared_bytes"),
            .stack_bytes = json.at("stack_bytes"),
            .spill_stores = json.at("spill_stores"),
            .spill_loads = json.at("spill_loads"),
            .constant_bytes = json.at("constant_bytes")};
}

nlohmann::json to_json(const Record& record) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelResources& kernel : record.kernels)
        kernels.push_back(to_json(kernel));
    nlohmann::json inputs = nlohmann::json::array();
    for (const Input& input : record.inputs)
        inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
    return {{"schema", schema},
            {"status", record.status},
            {"stage", record.stage},
            {"step", record.step},
            {"rc", record.code},
            {"seconds", record.seconds},
            {"max_rss", record.max_rss},
            {"command", record.command},
            {"link_command", record.link_command},
            {"stderr", record.output.substr(0, output_capacity)},
            {"stderr_truncated", record.output_truncated || record.output.size() > output_capacity},
            {"confined", record.confined},
            {"source", record.source},
            {"source_sha256", record.source_sha256},
            {"inputs", inputs},
            {"kernels", kernels}};
}

} // namespace

void write_record(const std::filesystem::path& path, const Record& record) {
    if (path.has_parent_path())
        std::filesystem::create_directories(path.parent_path());
    const std::filesystem::path unfinished = path.string() + "." + std::to_string(getpid());
    std::ofstream file(unfinished, std::ios::binary);
    // Compilers' output need not be UTF-8: a source can put any bytes into it.
    file << to_json(record).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    file.close();
    if (!file) {
        const int error = errno;
        std::filesystem::remove(unfinished);
        throw std::system_error(error, std::generic_category(), "cannot write " + path.string());
    }
    std::filesystem::rename(unfinished, path);
}

std::optional<Record> read_record(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    try {
        Record record{.status = json.at("status"),
                      .stage = json.at("stage"),
                      .step = json.at("step"),
                      .code = json.at("rc"),
                      .seconds = json.at("seconds"),
                      .max_rss = json.at("max_rss"),
                      .command = json.at("command"),
                      .link_command = json.value("link_command", std::vector<std::string>{}),
                      .output = json.at("stderr"),
                      .output_truncated = json.at("stderr_truncated"),
                      .confined = json.at("confined"),
                      .source = json.at("source"),
                      .source_sha256 = json.at("source_sha256"),
                      .inputs = {},
                      .kernels = {}};
        for (const nlohmann::json& kernel : json.at("kernels"))
            record.kernels.push_back(kernel_of(kernel));
        for (const nlohmann::json& input : json.value("inputs", nlohmann::json::array()))
            record.inputs.push_back({.path = input.at("path"), .sha256 = input.at("sha256")});
        return record;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

} // namespace cudabench::compile
