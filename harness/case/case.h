#pragma once

#include "case/task.h"

#include <cstddef>
#include <span>
#include <string>

namespace cudabench {

/// One task x scale x candidate. Paths are relative to the build tree's root, so that a build tree can move.
struct Case {
    std::string id;             ///< [A-Za-z0-9_]
    std::string candidate;      ///< display name, data only
    std::string model;          ///< may be empty
    int level = 0;              ///< prompt level 1 to 3; 0 unknown
    int sample = 0;             ///< sample index
    std::string source;         ///< the candidate's file as the user gave it
    std::size_t scale = 0;      ///< index into Task::scales
    std::string module;         ///< the candidate's shared object
    std::string compile_record; ///< JSON by cudabench-compile
};

/// What a generated test program says of itself. `depth` steps up from the executable's folder is the build tree's
/// root.
struct Suite {
    Task task;
    std::span<const Case> cases;
    std::string name;             ///< of cudabench_add_candidates
    std::string reference_module; ///< relative path of the reference's shared object
    std::string recorder;         ///< relative path of the recorder executable
    std::string results;          ///< relative folder of the result files
    int depth = 0;
};

/// main() of a generated test program: registers a GoogleTest case for each row and runs the selected ones, in a
/// process each when there are several. With --counters it counts what passed cases execute instead of grading them;
/// the cases of a candidate then share a process. Returns the exit code: 0 all passed, 1 a case failed, 77 nothing
/// failed but a case could not run here (no GPU), 4 the grader's fault; a filter that selects nothing is 2.
int run_suite(int argc, char** argv, const Suite& suite);

} // namespace cudabench
