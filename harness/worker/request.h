#pragma once

#include "case/case.h"
#include "case/grade_options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench::worker {

/// One case to grade, one that has passed and is to be counted, or what one will need that is graded soon.
struct Request {
    std::string task;
    std::string scale;
    Case graded; ///< Case::scale is left open; paths are absolute
    GradeOptions options;
    bool prepare = false;      ///< of `graded` and `options` only what decides which trials there will be
    bool count = false;        ///< what it executes; the seed is that of its grading
    std::string source_sha256; ///< of what is counted
};

/// Reads one line's JSON. Throws std::runtime_error naming the field that is missing or wrong.
[[nodiscard]] Request read_request(const nlohmann::json& json);

} // namespace cudabench::worker
