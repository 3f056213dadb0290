#include "random_operation.h"
#include "recipe/message.h"
#include "recipe/wire.h"

#include <gtest/gtest.h>

#include <set>

namespace cudabench::recipe {
namespace {

Hello some_hello() {
    Hello hello;
    hello.device.name = "a device";
    hello.device.driver_version = -1;
    hello.device.attributes.fill(-7);
    hello.workspace = {0x200000000000, 1 << 30, std::uint64_t{1} << 40, 1 << 21};
    hello.free_memory = 12345;
    hello.limits.operations = 9;
    hello.call = {"cudabench_call", {{1, 2, true}, {3, 4, false}}, {-1, 1}, {0.5, -0.0}};
    return hello;
}

TEST(Wire, EveryOperationComesBack) {
    std::mt19937_64 random(1);
    std::set<std::size_t> kinds;
    for (int i = 0; i < 5000; ++i) {
        const Operation operation = random_operation(random);
        kinds.insert(operation.index());
        const auto back = decode_operation(encode(operation));
        ASSERT_TRUE(back) << back.error().message;
        ASSERT_EQ(*back, operation);
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<Operation>);
}

TEST(Wire, BytesAreLittleEndianWhateverTheMachine) {
    const auto bytes = encode(Operation(Allocate{0x0102030405060708, 9}));
    const std::vector<unsigned> expected = {0, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0, 0, 0, 0, 0};
    ASSERT_EQ(bytes.size(), expected.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), expected[i]) << i;
}

TEST(Wire, EveryPrefixAndEveryExtensionIsRefused) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 200; ++i) {
        auto bytes = encode(random_operation(random));
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const auto cut = decode_operation(std::span(bytes).first(size));
            ASSERT_FALSE(cut);
            ASSERT_EQ(cut.error().stage, Stage::contract);
        }
        bytes.push_back(std::byte{0});
        ASSERT_FALSE(decode_operation(bytes));
    }
}

bool name_comes_through(const std::string& name) {
    Launch launch;
    launch.kernel = name;
    const bool as_kernel = decode_operation(encode(Operation(launch))).has_value();
    const bool as_place = decode_operation(encode(Operation(Fill{0, Symbol{name, 0}, 4, {4, 1}, 1}))).has_value();
    const bool as_question = decode_question(encode(Question(SymbolAddress{name}))).has_value();
    EXPECT_EQ(as_kernel, as_place);
    EXPECT_EQ(as_kernel, as_question);
    return as_kernel;
}

TEST(Wire, NamesAreShortAndPrintable) {
    EXPECT_TRUE(name_comes_through("_ZN4some6kernelEPKfi$x.1"));
    EXPECT_TRUE(name_comes_through(std::string(4096, 'k')));
    EXPECT_FALSE(name_comes_through(std::string(4097, 'k')));
    for (const char* name : {"a b", "a\n", "\x1b[2J",
                             "gr\xc3\xb6\xc3\x9f"
                             "e",
                             "\x7f"})
        EXPECT_FALSE(name_comes_through(name)) << name;
    EXPECT_FALSE(name_comes_through(std::string(1, '\0')));
}

bool arguments_come_through(std::size_t count, std::size_t bytes_of_each) {
    Launch launch;
    launch.arguments.assign(count, std::vector<std::byte>(bytes_of_each));
    return decode_operation(encode(Operation(launch))).has_value();
}

TEST(Wire, ArgumentsAreAsManyAsAKernelCanHave) {
    EXPECT_TRUE(arguments_come_through(0, 1));
    EXPECT_TRUE(arguments_come_through(4096, 7));
    EXPECT_FALSE(arguments_come_through(4097, 1));
    EXPECT_TRUE(arguments_come_through(1, 32'764));
    EXPECT_FALSE(arguments_come_through(1, 32'765));
    EXPECT_FALSE(arguments_come_through(4096, 8)) << "32,768 bytes in all";
    EXPECT_FALSE(arguments_come_through(1, 0));
}

TEST(Message, HelloComesBack) {
    const Hello hello = some_hello();
    const auto back = decode_hello(encode(hello));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->device.name, hello.device.name);
    EXPECT_EQ(back->device.driver_version, -1);
    EXPECT_EQ(back->device.attributes, hello.device.attributes);
    EXPECT_EQ(back->workspace, hello.workspace);
    EXPECT_EQ(back->free_memory, hello.free_memory);
    EXPECT_EQ(back->limits, hello.limits);
    EXPECT_EQ(back->call, hello.call);
}

TEST(Message, GranularityMustBeAPowerOfTwo) {
    Hello hello = some_hello();
    hello.workspace.granularity = 3;
    EXPECT_FALSE(decode_hello(encode(hello)));
}

TEST(Message, QuestionsAndAnswersComeBack) {
    CreateTexture texture;
    texture.texture = 3;
    texture.border = {1, 2, 3, 4};
    TensorMap map;
    map.rank = 2;
    map.sizes = {64, 32};
    ClusterOccupancy clusters;
    clusters.launch.kernel = "k";
    clusters.largest = true;
    for (const Question& question :
         {Question(CopyToHost{1, Symbol{"s", 2}, 3, {4, 5}}), Question(SymbolAddress{"name"}), Question(texture),
          Question(map), Question(clusters)}) {
        const auto back = decode_question(encode(question));
        ASSERT_TRUE(back);
        EXPECT_EQ(*back, question);
    }
    const Answer answer{700, {std::byte{1}, std::byte{2}}};
    EXPECT_EQ(*decode_answer(encode(answer)), answer);
    EXPECT_FALSE(decode_question(encode(Operation(Release{1}))));
}

TEST(Message, TextIsHarmlessAndShort) {
    EXPECT_EQ(decode_text(encode_text("a\x1b[31m\n\xff")), "a?[31m??");
    EXPECT_EQ(decode_text(encode_text(std::string(5000, 'x'))).size(), 1000U);
}

TEST(FrameBuffer, CutsAStreamThatArrivesByteByByte) {
    std::vector<std::byte> stream = encode_frame(FrameKind::note, encode_text("one"));
    const auto second = encode_frame(FrameKind::done, {});
    stream.insert(stream.end(), second.begin(), second.end());
    FrameBuffer buffer;
    std::vector<Frame> frames;
    for (const std::byte byte : stream) {
        buffer.append({&byte, 1});
        auto frame = buffer.next();
        ASSERT_TRUE(frame);
        if (frame->has_value())
            frames.push_back(**frame);
    }
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].kind, FrameKind::note);
    EXPECT_EQ(decode_text(frames[0].payload), "one");
    EXPECT_EQ(frames[1].kind, FrameKind::done);
    EXPECT_EQ(buffer.pending_bytes(), 0U);
}

TEST(FrameBuffer, RefusesAnUnknownKindAndALengthBeyondTheLimit) {
    for (const std::array<unsigned char, 8> header :
         {std::array<unsigned char, 8>{99, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0xff}}) {
        FrameBuffer buffer;
        buffer.append(std::as_bytes(std::span(header)));
        EXPECT_FALSE(buffer.next());
    }
}

} // namespace
} // namespace cudabench::recipe
