#include "case/suite_paths.h"

#include <cstdlib>

namespace cudabench {

SuitePaths::SuitePaths(const Suite& suite) {
    root = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    for (int i = 0; i < suite.depth; ++i)
        root = root.parent_path();
    recorder = root / suite.recorder;
    reference = root / suite.reference_module;
    const char* elsewhere = std::getenv("CUDABENCH_RESULTS");
    results = elsewhere ? std::filesystem::path(elsewhere) : root / suite.results;
}

std::filesystem::path SuitePaths::result_of(const Case& graded) const {
    return results / (graded.id + ".json");
}

std::filesystem::path SuitePaths::counters_of(const Case& counted) const {
    return results / (counted.id + ".counters.json");
}

} // namespace cudabench
