#include "compile/environment.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cudabench::compile {
namespace {

constexpr std::array<std::string_view, 20> scrubbed = {
    "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN",          "NVCC_WRAPPER",        "CPATH",
    "C_INCLUDE_PATH",     "OBJC_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",  "LIBRARY_PATH",        "COMPILER_PATH",
    "GCC_EXEC_PREFIX",    "GCC_COMPARE_DEBUG", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "LD_PRELOAD",
    "LD_AUDIT",           "LD_RUN_PATH",       "LDEMULATION",         "GNUTARGET",           "TMPDIR"};

} // namespace

std::vector<std::string> scrubbed_environment(const char* const* environment, const std::filesystem::path& temporary) {
    std::vector<std::string> kept;
    for (; *environment; ++environment) {
        const std::string_view entry = *environment;
        if (std::find(scrubbed.begin(), scrubbed.end(), entry.substr(0, entry.find('='))) == scrubbed.end())
            kept.emplace_back(entry);
    }
    kept.push_back("TMPDIR=" + temporary.string());
    return kept;
}

} // namespace cudabench::compile
