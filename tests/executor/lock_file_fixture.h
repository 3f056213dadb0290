#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <unistd.h>

namespace cudabench::gpu {

constexpr int soon = 10'000; ///< milliseconds: must have happened by then
constexpr int a_while = 100; ///< must not have happened by then

/// The lock file of a GPU that there is not.
class LockFileTest : public testing::Test {
protected:
    ~LockFileTest() override { std::remove(path_.c_str()); }

    const std::string uuid_ = "test-" + std::to_string(::getpid());
    const std::string path_ = std::string(P_tmpdir) + "/cudabench-" + uuid_ + ".lock";
};

} // namespace cudabench::gpu
