#include "compile/inputs.h"

#include "compile/sha256.h"
#include "compile/source.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace cudabench::compile {
namespace {

namespace fs = std::filesystem;

/// The words of a make rule: separated by white space, which a backslash makes part of a word; one before the end of a
/// line continues it.
std::vector<std::string> words_of(std::string_view rule) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const bool escaped = rule[i] == '\\' && i + 1 < rule.size() && (rule[i + 1] == ' ' || rule[i + 1] == '#');
        if (escaped || rule.substr(i, 2) == "$$")
            words.back().push_back(rule[++i]);
        else if (rule.substr(i, 2) == "\\\n" || std::isspace(static_cast<unsigned char>(rule[i])))
            words.emplace_back();
        else
            words.back().push_back(rule[i]);
    }
    std::erase(words, "");
    return words;
}

std::vector<fs::path> folders_of(const Arguments& arguments) {
    std::vector<fs::path> folders;
    for (const std::string& word : arguments.command)
        if (word.size() > 2 && word.starts_with("-I"))
            folders.push_back(fs::weakly_canonical(word.substr(2)));
    return folders;
}

bool is_below(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::vector<Input> inputs_of(const Arguments& arguments) {
    const auto option = std::find(arguments.command.begin(), arguments.command.end(), "-MF");
    if (option == arguments.command.end() || option + 1 == arguments.command.end())
        return {};
    const fs::path source = fs::weakly_canonical(arguments.source);
    const std::vector<fs::path> folders = folders_of(arguments);
    std::vector<Input> inputs;
    for (const std::string& word : words_of(text_of(*(option + 1)))) {
        const fs::path file = fs::weakly_canonical(word);
        const bool own = is_below(file, source.parent_path()) && file != source;
        if (fs::is_regular_file(file) &&
            (own || std::any_of(folders.begin(), folders.end(), [&](const auto& f) { return is_below(file, f); })))
            inputs.push_back({file.string(), sha256(source_bytes(file))});
    }
    return inputs;
}

} // namespace cudabench::compile
