#include "compile/arguments.h"

#include <charconv>
#include <cmath>
#include <cstddef>

namespace cudabench::compile {

const char* const usage =
    "usage: cudabench-compile --record FILE (--source FILE | --linked-source LINK) [--mode build_error|record]\n"
    "                         [--deadline SECONDS] [--link] -- COMMAND...\n"
    "Runs nvcc, or with --link the linker, for one candidate: confined, with limits, and writes what happened to "
    "FILE.\n";

namespace {

Mode mode_of(const std::string& text) {
    if (text == "build_error")
        return Mode::build_error;
    if (text == "record")
        return Mode::record;
    throw UsageError("--mode " + text + ": must be build_error or record");
}

double seconds_of(const std::string& text) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    constexpr double a_day = 86400;
    if (error != std::errc() || end != text.data() + text.size() || !(seconds > 0 && seconds <= a_day))
        throw UsageError("--deadline " + text + ": must be a number of seconds above 0 and at most 86400");
    return seconds;
}

void take_link(const std::filesystem::path& link, Arguments& arguments) {
    std::error_code error;
    arguments.source_name = link;
    arguments.source = std::filesystem::read_symlink(link, error);
    if (error)
        throw UsageError("--linked-source " + link.string() + ": " + error.message());
    arguments.source_folder = (link.parent_path() / "folder").string();
}

} // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
    Arguments arguments;
    std::size_t i = 0;
    const auto value = [&] {
        if (i + 1 >= words.size() || words[i + 1] == "--")
            throw UsageError(words[i] + ": its value is missing");
        return words[++i];
    };
    for (; i < words.size() && words[i] != "--"; ++i) {
        if (words[i] == "--record")
            arguments.record = value();
        else if (words[i] == "--source")
            arguments.source = arguments.source_name = value();
        else if (words[i] == "--linked-source")
            take_link(value(), arguments);
        else if (words[i] == "--mode")
            arguments.mode = mode_of(value());
        else if (words[i] == "--deadline")
            arguments.deadline = seconds_of(value());
        else if (words[i] == "--link")
            arguments.link = true;
        else
            throw UsageError(words[i] + ": unknown option");
    }
    if (i < words.size())
        arguments.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    if (arguments.record.empty() || arguments.source.empty())
        throw UsageError("--record and --source are both needed");
    if (arguments.command.empty())
        throw UsageError("no command after --");
    return arguments;
}

} // namespace cudabench::compile
