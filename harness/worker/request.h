#pragma once

#include "case/case.h"
#include "case/grade_options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench::worker {

/// One case to grade, or one that has passed and is to be counted.
struct Request {
    std::string task;
    std::string scale;
    Case graded; ///< Case::scale is left open; paths are absolute
    GradeOptions options;
    bool count = false;        ///< what it executes; the seed is that of its grading
    std::string source_sha256; ///< of what is counted
};

/// Reads one line's JSON. Throws std::runtime_error naming the field that is missing or wrong.
[[nodiscard]] Request read_request(const nlohmann::json& json);

} // namespace cudabench::worker
