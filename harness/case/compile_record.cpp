#include "case/compile_record.h"

#include "case/text_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace cudabench {
namespace {

/// As g++, nvcc, ptxas and nvlink begin it: `error:`, `error #20-D:`, `ptxas fatal   :`. The word alone may be of a
/// path; what is indented is the source.
bool tells_error(std::string_view line) {
    if (line.starts_with(' '))
        return false;
    for (const std::string_view word : {"error", "fatal"})
        for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
            std::string_view after = line.substr(at + word.size());
            if (after.starts_with(" #")) // a number, such as 20-D
                after.remove_prefix(std::min(after.find_first_of(":/. ", 1), after.size()));
            after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
            if (after.starts_with(':'))
                return true;
        }
    return line.find("undefined reference") != std::string_view::npos;
}

/// The first error of a compiler's output, which is what a reader of a table wants to see.
std::string first_error(const std::string& diagnostics) {
    std::size_t start = 0;
    while (start < diagnostics.size()) {
        const std::size_t end = std::min(diagnostics.find('\n', start), diagnostics.size());
        std::string line = diagnostics.substr(start, end - start);
        if (tells_error(line))
            return line;
        start = end + 1;
    }
    return diagnostics.substr(0, diagnostics.find('\n'));
}

} // namespace

Expected<std::string, Failure> read_compile_record(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path))
        return Failure{Stage::not_built,
                       fmt::format("{}: no compile record; build the candidate first", path.string())};
    std::string text = read_text(path);
    const nlohmann::json record = nlohmann::json::parse(text, nullptr, false);
    const auto text_of = [&](const char* key) {
        return record.is_object() && record.contains(key) && record[key].is_string() ? record[key].get<std::string>()
                                                                                     : std::string();
    };
    const std::string status = text_of("status");
    if (status.empty())
        return Failure{Stage::fault,
                       fmt::format("{}: corrupt compile record; remove it and build again", path.string())};
    if (status == "ok")
        return text;
    const std::string diagnostics = text_of("stderr");
    const Stage stage = text_of("stage") == name(Stage::contract) ? Stage::contract : Stage::compile;
    return Failure{stage, diagnostics.empty() ? fmt::format("compilation ended with {}", status)
                                              : fmt::format("{}\n{}", first_error(diagnostics), diagnostics)};
}

} // namespace cudabench
