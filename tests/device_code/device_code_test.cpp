#include "device_code/fat_binary.h"
#include "ptxas_report.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace cudabench::device_code {
namespace {

class DeviceCode : public testing::Test {
protected:
    void SetUp() override {
        auto read = read_shared_object(bytes);
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(read->size(), 1U);
        code = std::move(read->front());
    }

    const Kernel& kernel(const std::string& part) {
        const auto found = std::find_if(code.kernels.begin(), code.kernels.end(),
                                        [&](const Kernel& k) { return k.name.find(part) != std::string::npos; });
        if (found == code.kernels.end())
            throw std::runtime_error("no kernel " + part);
        return *found;
    }

    std::vector<std::byte> bytes = read_file(sample("raw.so"));
    FatBinary code;
};

TEST_F(DeviceCode, ResourcesAreWhatTheCompilerReports) {
    const auto reports = read_ptxas_report(sample("raw.so.log"));
    ASSERT_EQ(reports.size(), 6U);
    ASSERT_EQ(code.kernels.size(), reports.size());
    for (const auto& [name, reported] : reports) {
        const auto* read = code.kernel(name);
        ASSERT_NE(read, nullptr) << name;
        EXPECT_GT(read->registers, 0U);
        EXPECT_EQ(read->registers, reported.registers) << name;
        EXPECT_EQ(read->static_shared_bytes, reported.shared_bytes) << name;
        EXPECT_EQ(read->local_bytes, reported.stack_bytes) << name;
    }
    EXPECT_EQ(kernel("bounded").static_shared_bytes, 1200U);
    EXPECT_GE(kernel("stack").local_bytes, 400U);
}

TEST_F(DeviceCode, ParametersHaveTheSizesOfTheirTypes) {
    using Sizes = std::vector<std::uint32_t>;
    EXPECT_EQ(kernel("anonymous").parameter_bytes, (Sizes{24, 8, 1}));
    EXPECT_EQ(kernel("nothing").parameter_bytes, Sizes{});
    EXPECT_EQ(kernel("large").parameter_bytes, (Sizes{20000, 8, 4}));
    EXPECT_EQ(kernel("stack").parameter_bytes, (Sizes{8, 4}));
}

TEST_F(DeviceCode, BoundsAndClustersAreThoseOfTheSource) {
    EXPECT_EQ(kernel("bounded").max_threads, 128U);
    EXPECT_EQ(kernel("stack").max_threads, 0U);
    EXPECT_EQ(kernel("clustered").cluster, (std::array<std::uint32_t, 3>{4, 2, 1}));
    EXPECT_EQ(kernel("stack").cluster, (std::array<std::uint32_t, 3>{}));
    EXPECT_EQ(kernel("stack").architecture, 90);
    EXPECT_EQ(kernel("stack").constant_bytes, 1024U);
}

TEST_F(DeviceCode, VariablesAreFoundStaticOnesToo) {
    std::vector<Variable> variables = code.variables;
    std::sort(variables.begin(), variables.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const std::vector<Variable> expected = {{"_ZZ5stackPfiE4hits", 4, false},
                                            {"coefficients", 1024, true},
                                            {"counter", 4, false},
                                            {"hidden", 12, false},
                                            {"table", 32, false, true}};
    EXPECT_EQ(variables, expected);
}

TEST_F(DeviceCode, PtxIsBesideTheCubin) {
    ASSERT_EQ(code.ptx.size(), 1U);
    EXPECT_EQ(code.ptx[0].architecture, 90);
    EXPECT_NE(code.ptx[0].text.find(".target sm_90"), std::string_view::npos);
    EXPECT_NE(code.ptx[0].text.back(), '\0');
}

TEST_F(DeviceCode, ContainersLieOneAfterAnother) {
    std::vector<std::byte> two(code.image.begin(), code.image.end());
    two.resize((two.size() + 7) / 8 * 8 + 16);
    two.insert(two.end(), code.image.begin(), code.image.end());
    const auto read = read_fat_binaries(two);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ((*read)[1].kernels, code.kernels);
}

TEST_F(DeviceCode, TheFatBinaryInMemoryIsTheSame) {
    const auto read = read_fat_binary_at(code.image.data());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kernels, code.kernels);
}

TEST(DeviceCodeErrors, WhatIsNoSharedObjectIsRefused) {
    EXPECT_FALSE(read_shared_object({}));
    EXPECT_FALSE(read_shared_object(read_file(sample("raw.so.log"))));
}

} // namespace
} // namespace cudabench::device_code
