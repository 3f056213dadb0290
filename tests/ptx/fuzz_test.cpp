#include "ptx/parser.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cudabench::ptx {
namespace {

// Under the address and undefined-behaviour sanitisers, which end the test at a wrong access.

/// Changes characters, repeats, removes and moves pieces.
std::string mutate(std::string text, std::mt19937_64& random) {
    constexpr std::string_view likely = "{}[]()<>,;:.@!|+-=\"\n 0123456789xfU%$_";
    for (auto count = 1 + random() % 5; count > 0 && !text.empty(); --count) {
        const std::size_t at = random() % text.size();
        const std::size_t length = random() % 40;
        switch (random() % 5) {
        case 0: text[at] = likely[random() % likely.size()]; break;
        case 1: text[at] = static_cast<char>(random()); break;
        case 2: text.erase(at, length); break;
        case 3: text.insert(at, text.substr(random() % text.size(), length)); break;
        default: text.resize(random() % 8 == 0 ? at : text.size()); break;
        }
    }
    return text;
}

TEST(Fuzz, MutatedTextIsReadOrRefused) {
    constexpr int mutations = 20'000;
    std::mt19937_64 random(5);
    int read = 0;
    for (int i = 0; i < mutations; ++i)
        read += parse(mutate(std::string(sample), random)).has_value() ? 1 : 0;
    EXPECT_GT(read, 0);
    EXPECT_LT(read, mutations);
}

TEST(Fuzz, EveryTruncationIsReadOrRefused) {
    for (std::size_t size = 0; size < sample.size(); ++size)
        (void)parse(sample.substr(0, size));
}

TEST(Fuzz, NestingIsBounded) {
    const std::string deep(100'000, '{');
    EXPECT_FALSE(parse(".global .b8 x[] = " + deep));
    EXPECT_FALSE(parse(".entry k() { mov.b32 " + deep));
    EXPECT_FALSE(parse(".entry k() { ld.b32 x, " + std::string(100'000, '[')));
    EXPECT_FALSE(parse(".entry k() " + deep));
}

} // namespace
} // namespace cudabench::ptx
