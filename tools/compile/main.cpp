#include "compile/arguments.h"
#include "compile/confinement.h"
#include "compile/contract.h"
#include "compile/early_end.h"
#include "compile/environment.h"
#include "compile/inputs.h"
#include "compile/machine_fault.h"
#include "compile/messages.h"
#include "compile/process.h"
#include "compile/record.h"
#include "compile/resource_usage.h"
#include "compile/room_watch.h"
#include "compile/sha256.h"
#include "compile/source.h"
#include "outcome/harmless_text.h"
#include "outcome/shown_text.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace cudabench::compile {
namespace {

constexpr int exit_usage = 2;
constexpr int exit_fault = 4;
constexpr int exit_timeout = 124;
constexpr int exit_signal_base = 128;

/// A folder of its own for the compiler's intermediate files, gone with this object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "cudabench-compile-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw std::system_error(errno, std::generic_category(), pattern);
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

bool must_confine() {
    if (confinement_available())
        return true;
    const char* unsafe = std::getenv("CUDABENCH_UNSAFE");
    if (unsafe && std::string_view(unsafe) == "1")
        return false;
    throw std::runtime_error("this kernel has no Landlock (Linux 5.13 with it enabled), so a candidate could read the "
                             "references while it is compiled. CUDABENCH_UNSAFE=1 compiles all the same.");
}

Record record_of(const Arguments& arguments, const std::string& source, const Finished& finished, bool confined) {
    Record record;
    const auto status = [&] {
        switch (finished.how) {
        case Finished::How::deadline: return "timeout";
        case Finished::How::killed: return "crashed";
        case Finished::How::exited:
        case Finished::How::not_started: break;
        }
        return finished.code == 0 ? "ok" : "failed";
    };
    record.status = status();
    const bool refused = record.status != "ok" && refused_by_contract(finished.output, arguments);
    record.stage = refused ? "contract" : "compile";
    record.step = arguments.link ? "link" : "compile";
    record.code = finished.code;
    record.seconds = finished.seconds;
    record.max_rss = finished.max_rss;
    record.command = arguments.command;
    record.output = harmless_text(early_end(finished.output, arguments, source) +
                                  for_author(without_resource_usage(finished.output), arguments));
    record.output_truncated = finished.output_truncated;
    record.confined = confined;
    record.source = arguments.source.string();
    record.source_sha256 = sha256(source);
    record.kernels = kernels_in(harmless_text(finished.output)); // a source can print what looks like one
    if (record.status == "ok" && !arguments.link)
        record.inputs = inputs_of(arguments);
    if (record.status == "timeout")
        record.output += "cudabench-compile: stopped at the deadline of " + std::to_string(arguments.deadline) + " s\n";
    if (record.status == "crashed")
        record.output += "cudabench-compile: ended by signal " + std::to_string(finished.code) + "\n";
    return record;
}

/// A link that went well leaves the record of the compilation; one that did not replaces all but the kernels.
Record after_link(const Record& compiled, Record linked) {
    linked.seconds += compiled.seconds;
    linked.max_rss = std::max(linked.max_rss, compiled.max_rss);
    linked.kernels = compiled.kernels;
    linked.source_sha256 = compiled.source_sha256; // of what is linked, whatever the source is by now
    linked.inputs = compiled.inputs;
    if (linked.status != "ok" || compiled.status != "ok") // an earlier link failed, and its record is to go
        return linked;
    linked.link_command = std::move(linked.command);
    linked.command = compiled.command;
    linked.output = compiled.output + linked.output;
    return linked;
}

std::string value_after(const std::vector<std::string>& words, std::string_view option) {
    const auto at = std::find(words.begin(), words.end(), option);
    return at != words.end() && at + 1 != words.end() ? *(at + 1) : std::string();
}

/// Lets the build go on after a recorded failure: an empty output, and the dependencies that would have been found.
void write_placeholder(const Arguments& arguments) {
    const std::string output = value_after(arguments.command, "-o");
    if (!output.empty())
        std::ofstream(output, std::ios::trunc);
    const std::string dependencies = value_after(arguments.command, "-MF");
    if (dependencies.empty())
        return;
    std::string source = arguments.source_name.string();
    for (std::size_t at = source.find(' '); at != std::string::npos; at = source.find(' ', at + 2))
        source.insert(at, 1, '\\');
    std::ofstream(dependencies, std::ios::trunc) << value_after(arguments.command, "-MT") << ": " << source << '\n';
}

/// Leaves nothing that could be taken for the outcome: no record of an earlier source, which would go with a module of
/// this one or the other way round. Without the objects of a link the next build compiles again, for a whole record.
void forget(const Arguments& arguments) {
    std::error_code ignored;
    std::filesystem::remove(arguments.record, ignored);
    if (arguments.link)
        for (const std::filesystem::path word : arguments.command)
            if (word.extension() == ".o")
                std::filesystem::remove(word, ignored);
}

/// What is run: a link writes to the temporary folder, since the modules of others lie where its output goes.
Arguments with_private_output(Arguments arguments, const std::filesystem::path& temporary) {
    const auto option = std::find(arguments.command.begin(), arguments.command.end(), "-o");
    if (arguments.link && option != arguments.command.end() && option + 1 != arguments.command.end())
        *(option + 1) = (temporary / std::filesystem::path(*(option + 1)).filename()).string();
    return arguments;
}

/// Puts the output of a link in its place; takes away an earlier one if it failed. Throws std::runtime_error.
void take_output(const Arguments& run, const Arguments& arguments, bool linked) {
    const std::filesystem::path made = value_after(run.command, "-o");
    const std::filesystem::path place = value_after(arguments.command, "-o");
    if (made == place)
        return;
    std::error_code error;
    const std::filesystem::path unfinished = place.string() + "." + std::to_string(getpid());
    if (!linked || !std::filesystem::is_regular_file(std::filesystem::symlink_status(made, error))) {
        std::filesystem::remove(place, error);
        return;
    }
    if (std::filesystem::copy_file(made, unfinished, error))
        std::filesystem::rename(unfinished, place, error);
    if (!error)
        return;
    const std::string why = place.string() + ": cannot be written: " + error.message();
    std::filesystem::remove(unfinished, error);
    forget(arguments);
    throw std::runtime_error(why);
}

int exit_status(const Record& record) {
    if (record.status == "timeout")
        return exit_timeout;
    return record.status == "crashed" ? exit_signal_base + record.code : record.code;
}

int compile(const Arguments& arguments) {
    std::optional<Record> compiled;
    if (arguments.link) {
        compiled = read_record(arguments.record);
        if (compiled && compiled->status != "ok" && compiled->step == "compile" && arguments.mode == Mode::record) {
            write_placeholder(arguments);
            return 0;
        }
    }
    const std::string source = source_bytes(arguments.source); // before: a later change must not count as compiled
    const bool confined = must_confine();
    const TemporaryFolder temporary;
    const Limits limits{.deadline = arguments.deadline};
    const Arguments started = with_private_output(arguments, temporary.path());
    const auto folders = written_folders(arguments, temporary.path());
    RoomWatch room([&folders] { return lack_of_room(folders); });
    const Finished finished =
        run(started.command, scrubbed_environment(environ, temporary.path()),
            confined ? std::optional(access_of(started, temporary.path())) : std::nullopt, limits);
    if (const std::string fault = machine_fault(finished, room.stop(), folders); !fault.empty()) {
        forget(arguments);
        throw std::runtime_error(fault);
    }
    Record record = record_of(arguments, source, finished, confined);
    take_output(started, arguments, record.status == "ok");
    std::cerr << shown_text(record.output);
    if (compiled)
        record = after_link(*compiled, std::move(record));
    write_record(arguments.record, record);
    if (record.status == "ok" || arguments.mode == Mode::build_error)
        return exit_status(record);
    write_placeholder(arguments);
    return 0;
}

int main(int argc, char** argv) {
    try {
        return compile(parse_arguments({argv + 1, argv + argc}));
    } catch (const UsageError& error) {
        std::cerr << "cudabench-compile: " << error.what() << '\n' << usage;
        return exit_usage;
    } catch (const Interrupted& interrupted) {
        return exit_signal_base + interrupted.signal;
    } catch (const std::exception& error) {
        std::cerr << "cudabench-compile: " << shown_text(error.what()) << '\n';
        return exit_fault;
    }
}

} // namespace
} // namespace cudabench::compile

int main(int argc, char** argv) {
    return cudabench::compile::main(argc, argv);
}
