#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench {

/// The numbers of a result, as of docs/results.md, as tags that CTest takes out of a test's output into Test.xml, where
/// CDash draws them over time. Empty unless CTest runs this process.
[[nodiscard]] std::string measurement_tags(const nlohmann::json& result);

} // namespace cudabench
