#include "random_operation.h"
#include "recipe/validate.h"
#include "recipe/wire.h"

#include <gtest/gtest.h>

#include <array>

namespace cudabench::recipe {
namespace {

constexpr int mutations = 10'000;

/// Flips bytes, cuts, or inserts.
void mutate(std::vector<std::byte>& bytes, std::mt19937_64& random) {
    for (auto count = 1 + random() % 4; count > 0 && !bytes.empty(); --count) {
        const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
        switch (random() % 4) {
        case 0: bytes.resize(static_cast<std::size_t>(at)); break;
        case 1: bytes.insert(bytes.begin() + at, static_cast<std::byte>(random())); break;
        case 2: bytes[static_cast<std::size_t>(at)] = std::byte{0xff}; break;
        default: bytes[static_cast<std::size_t>(at)] = static_cast<std::byte>(random()); break;
        }
    }
}

// These run under the address and undefined-behaviour sanitisers, which end the test at a wrong access.

TEST(Fuzz, AMutatedOperationIsReadOrRefusedAndWhatIsReadComesBack) {
    std::mt19937_64 random(3);
    int read = 0;
    for (int i = 0; i < mutations; ++i) {
        auto bytes = encode(random_operation(random));
        mutate(bytes, random);
        if (const auto operation = decode_operation(bytes)) {
            ++read;
            ASSERT_EQ(encode(*operation), bytes);
        }
    }
    EXPECT_GT(read, 0);
    EXPECT_LT(read, mutations);
}

TEST(Fuzz, AMutatedStreamOfFramesIsCutOrRefused) {
    std::mt19937_64 random(4);
    for (int i = 0; i < mutations / 10; ++i) {
        std::vector<std::byte> stream;
        for (int frame = 0; frame < 5; ++frame) {
            const auto bytes = encode_frame(FrameKind::operation, encode(random_operation(random)));
            stream.insert(stream.end(), bytes.begin(), bytes.end());
        }
        mutate(stream, random);
        FrameBuffer buffer;
        buffer.append(stream);
        for (auto frame = buffer.next(); frame && *frame; frame = buffer.next()) {
            (void)decode_question((**frame).payload);
            (void)decode_answer((**frame).payload);
            (void)decode_hello((**frame).payload);
        }
    }
}

TEST(Fuzz, MutatedQuestionsAreDecodedOrRefused) {
    std::mt19937_64 random(6);
    int decoded = 0;
    for (int i = 0; i < mutations; ++i) {
        TensorMap map;
        map.rank = static_cast<std::uint32_t>(random());
        map.sizes[i % 5] = random();
        ClusterOccupancy clusters;
        clusters.launch.kernel = std::string(random() % 40, 'k');
        CreateTexture texture;
        texture.width = random();
        const std::array<Question, 4> questions = {Question(map), clusters, texture, SymbolAddress{"name"}};
        std::vector<std::byte> bytes = encode(questions.at(random() % questions.size()));
        mutate(bytes, random);
        if (const auto question = decode_question(bytes)) {
            ++decoded;
            EXPECT_EQ(encode(*question), bytes) << "every byte counts";
        }
    }
    EXPECT_GT(decoded, 0);
}

TEST(Fuzz, TheValidatorAcceptsNoRandomOperationOutsideItsMemory) {
    std::mt19937_64 random(5);
    Hello hello;
    hello.workspace = {1 << 20, 1 << 20, 1 << 24, 4096};
    hello.call.buffers.push_back({4096, 4096, true});
    for (int i = 0; i < mutations; ++i) {
        const Operation operation = random_operation(random);
        Validator validator(hello, {});
        const bool accepted = validator.check(operation).has_value();
        // Random numbers of 64 bits hit neither memory nor streams nor kernels.
        const bool harmless = std::holds_alternative<CreateStream>(operation) ||
                              (std::holds_alternative<Synchronize>(operation) &&
                               std::get<Synchronize>(operation).scope == Synchronize::Scope::device);
        ASSERT_EQ(accepted, harmless) << operation.index();
    }
}

} // namespace
} // namespace cudabench::recipe
