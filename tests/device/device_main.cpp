#include "driver/driver.h"
#include "driver/lost.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (const auto driver = cudabench::driver::load(); !driver && !testing::GTEST_FLAG(list_tests)) {
        std::fprintf(stderr, "skipped: %s\n", driver.error().message.c_str());
        return 77;
    }
    const int code = RUN_ALL_TESTS();
    if (!cudabench::driver::lost())
        return code;
    std::fflush(nullptr); // the driver's own cleaning up would hang
    ::_exit(code);
}
