#pragma once

#include "case/case.h"

#include <filesystem>

namespace cudabench {

/// The absolute places of a suite's files, found from the running executable so that a build tree can move.
struct SuitePaths {
    std::filesystem::path root; ///< of the build tree
    std::filesystem::path recorder;
    std::filesystem::path reference;
    std::filesystem::path results; ///< CUDABENCH_RESULTS if set

    explicit SuitePaths(const Suite& suite);

    [[nodiscard]] std::filesystem::path result_of(const Case& graded) const;
    /// Of the counting pass.
    [[nodiscard]] std::filesystem::path counters_of(const Case& counted) const;
};

} // namespace cudabench
