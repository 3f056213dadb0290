#include "recipe/wire.h"
#include "recorder/conversation.h"
#include "recording_fixture.h"

#include <random>

namespace cudabench::recorder {
namespace {

using recipe::FrameKind;

std::vector<std::byte> frame(FrameKind kind, const std::vector<std::byte>& payload = {}) {
    return recipe::encode_frame(kind, payload);
}

/// Has textures, tensor maps and clusters too.
class GenerousAnswers : public CountingAnswers {
public:
    Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe&, const recipe::CreateTexture&) override {
        return std::uint64_t{1};
    }
    Expected<std::vector<std::byte>, Failure> tensor_map(const recipe::TensorMap&) override {
        return std::vector<std::byte>(recipe::TensorMap::bytes);
    }
    Expected<std::uint64_t, Failure> cluster_occupancy(const recipe::ClusterOccupancy&) override {
        return std::uint64_t{1};
    }
};

TEST(Conversation, TakesFramesThatArriveByteByByte) {
    CountingAnswers answers;
    Conversation conversation({}, answers);
    const recipe::Operation fill = recipe::Fill{0, recipe::Address{4096}, 16, {16, 1}, 3};
    auto bytes = frame(FrameKind::operation, recipe::encode(fill));
    const auto end = frame(FrameKind::done);
    bytes.insert(bytes.end(), end.begin(), end.end());
    for (const std::byte& byte : bytes) {
        EXPECT_FALSE(conversation.over());
        conversation.hear({&byte, 1});
    }
    EXPECT_TRUE(conversation.done());
    EXPECT_EQ(conversation.take_recipe().operations, std::vector<recipe::Operation>{fill});
}

TEST(Conversation, HearsNothingAfterTheEnd) {
    CountingAnswers answers;
    Conversation conversation({}, answers);
    auto bytes = frame(FrameKind::done);
    const auto note = frame(FrameKind::note, recipe::encode_text("late"));
    bytes.insert(bytes.end(), note.begin(), note.end());
    conversation.hear(bytes);
    EXPECT_TRUE(conversation.done());
    EXPECT_TRUE(conversation.notes().empty());
}

TEST(Conversation, ACopyToTheHostIsAlwaysAQuestion) {
    CountingAnswers answers;
    Conversation conversation({}, answers);
    const recipe::Operation copy = recipe::CopyToHost{0, recipe::Address{4096}, 16, {16, 1}};
    conversation.hear(frame(FrameKind::operation, recipe::encode(copy)));
    ASSERT_TRUE(conversation.failure());
    EXPECT_EQ(conversation.failure()->stage, Stage::contract);
}

TEST(Conversation, QuestionsCountAsOperationsDo) {
    recipe::TensorMap map;
    map.rank = 1;
    for (const recipe::Question& question :
         {recipe::Question(recipe::SymbolAddress{"x"}), recipe::Question(map),
          recipe::Question(recipe::ClusterOccupancy{}),
          recipe::Question(recipe::CopyToHost{0, recipe::Address{4096}, 16, {16, 1}}),
          recipe::Question(recipe::CreateTexture{})}) {
        GenerousAnswers answers;
        Conversation conversation(recipe::Limits{.operations = 3}, answers);
        for (int asked = 0; asked < 4; ++asked) {
            EXPECT_FALSE(conversation.failure()) << question.index() << ": " << asked;
            conversation.hear(frame(FrameKind::question, recipe::encode(question)));
            conversation.sent(conversation.unsent().size());
        }
        ASSERT_TRUE(conversation.failure()) << question.index();
        EXPECT_EQ(conversation.failure()->message, "recipe too long: more than 3 operations");
    }
}

TEST(Conversation, AnyChangeOfAnyByteIsSurvived) {
    CountingAnswers answers;
    const recipe::Operation launch =
        recipe::Launch{1, "kernel", {2, 3, 4}, {5, 6, 7}, 8, true, {{std::byte{1}}, {std::byte{2}}}};
    auto bytes = frame(FrameKind::operation, recipe::encode(launch));
    const auto question = frame(FrameKind::question, recipe::encode(recipe::Question(recipe::SymbolAddress{"x"})));
    bytes.insert(bytes.end(), question.begin(), question.end());
    for (std::size_t place = 0; place < bytes.size(); ++place)
        for (int value = 0; value < 256; ++value) {
            auto changed = bytes;
            changed[place] = static_cast<std::byte>(value);
            Conversation conversation({}, answers);
            conversation.hear(changed);
            if (conversation.failure()) {
                EXPECT_EQ(conversation.failure()->stage, Stage::contract);
            }
        }
}

} // namespace
} // namespace cudabench::recorder
