#include "driver/driver.h"

#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (const auto driver = cudabench::driver::load(); !driver) {
        std::fprintf(stderr, "skipped: %s\n", driver.error().message.c_str());
        return 77;
    }
    return RUN_ALL_TESTS();
}
