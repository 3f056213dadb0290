#include "case/recipe_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cudabench {
namespace {

nlohmann::ordered_json arguments_of(std::vector<std::vector<std::byte>> arguments) {
    recipe::Launch launch;
    launch.arguments = std::move(arguments);
    return to_json(recipe::Recipe{{launch}}, 1).at(0).at("arguments");
}

TEST(RecipeJson, ArgumentsAreHexadecimalInMemoryOrder) {
    EXPECT_EQ(arguments_of({{std::byte{0x0a}, std::byte{0xff}}}).at(0), "0aff");
    EXPECT_EQ(arguments_of({std::vector<std::byte>(64)}).at(0), std::string(128, '0'));
}

TEST(RecipeJson, WhatAHostileLaunchCarriesIsCut) {
    EXPECT_EQ(arguments_of({std::vector<std::byte>(32'764)}).at(0), std::string(128, '0') + "... (32764 bytes)");
    const auto many = arguments_of(std::vector(4096, std::vector<std::byte>(1)));
    ASSERT_EQ(many.size(), 65U);
    EXPECT_EQ(many.at(63), "00");
    EXPECT_EQ(many.at(64), "... (4096 arguments)");
    EXPECT_EQ(arguments_of(std::vector(64, std::vector<std::byte>(1))).size(), 64U);
}

} // namespace
} // namespace cudabench
