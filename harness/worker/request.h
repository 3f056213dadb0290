#pragma once

#include "case/case.h"
#include "case/grade_options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench::worker {

/// One case to grade.
struct Request {
    std::string task;
    std::string scale;
    Case graded; ///< Case::scale is left open; paths are absolute
    GradeOptions options;
};

/// Reads one line's JSON. Throws std::runtime_error naming the field that is missing or wrong.
[[nodiscard]] Request read_request(const nlohmann::json& json);

} // namespace cudabench::worker
