#include "case/compile_record.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace cudabench {
namespace {

/// What a case whose compilation printed this says first.
std::string headline(const std::string& printed) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "compile_record_test.json";
    std::ofstream(path) << nlohmann::json{{"status", "failed"}, {"stage", "compile"}, {"stderr", printed}};
    const std::string message = read_compile_record(path).error().message;
    return message.substr(0, message.find('\n'));
}

TEST(CompileRecord, IsToldByItsFirstErrorNotByAPath) {
    for (const std::string line :
         {"k.cu(3): error: expected a ;", "k.cu(3): error #20-D: identifier is undefined",
          "k.cu:2:10: fatal error: a.h: No such file or directory",
          "ptxas error   : Entry function uses too much shared data", "ptxas fatal   : Unresolved extern function 'f'",
          "k.cu:(.text+0x4a): undefined reference to `cublasCreate_v2'"})
        EXPECT_EQ(headline("errors/fatal #1/k.cu(1): warning #177-D: error is unused\n" + line + "\n"), line);
    EXPECT_EQ(
        headline(
            "k.cu(1): warning #177-D: unused\n  auto s = \"error: no\";\n    1 | \"error: no\"\nk.cu(3): error: b\n"),
        "k.cu(3): error: b")
        << "the source, shown with a warning, is none";
    EXPECT_EQ(headline("killed\nand more\n"), "killed");
}

} // namespace
} // namespace cudabench
