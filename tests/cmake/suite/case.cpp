#include "case/case.h"

#include <cstdio>
#include <cstring>
#include <string>

/// Stands in for the harness: says which case it was asked for, and fails that of the candidate `failing`.
int cudabench::run_suite(int argc, char** argv, const Suite& suite) {
    const std::string wanted = argc == 2 ? argv[1] : "";
    for (const Case& graded : suite.cases)
        if (wanted == "--gtest_filter=" + suite.task.name + "." + graded.id) {
            std::printf("case %s module %s root %d\n", graded.id.c_str(), graded.module.c_str(), suite.depth);
            return graded.candidate.starts_with("failing/") ? 1 : 77;
        }
    return 2;
}
