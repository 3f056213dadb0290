#include "device/described.h"
#include "recipe/validate.h"

#include <gtest/gtest.h>

namespace cudabench::recipe {
namespace {

constexpr Address base = Address{1} << 40;
constexpr std::uint64_t page = 1 << 21;
constexpr Address input = 0x1000;
constexpr Address output = 0x2000;

class ValidatorTest : public testing::Test {
protected:
    ValidatorTest() {
        hello.device = device::h200();
        hello.workspace = {base, 8 * page, 64 * page, page};
        hello.limits.allocations = 3;
        hello.call.buffers = {{input, 256, false}, {output, 256, true}};
    }

    static device_code::FatBinary some_code() {
        device_code::Kernel kernel;
        kernel.name = "k";
        kernel.parameter_bytes = {8, 4};
        kernel.static_shared_bytes = 1000;
        kernel.max_threads = 256;
        return {.image = {}, .kernels = {kernel}, .variables = {{"v", 64, false}}, .ptx = {}};
    }

    bool accepts(const Operation& operation) { return validator.check(operation).has_value(); }

    static Launch launch() {
        return {.kernel = "k",
                .grid = {},
                .block = {256, 1, 1},
                .arguments = {std::vector<std::byte>(8), std::vector<std::byte>(4)}};
    }

    Hello hello;
    std::vector<device_code::FatBinary> code = {some_code()};
    Validator validator{hello, code};
};

TEST_F(ValidatorTest, AllocationsLieOnPagesOfTheWorkspaceInGrowingOrderWithGaps) {
    EXPECT_TRUE(accepts(Allocate{base, 100}));
    EXPECT_TRUE(accepts(Allocate{base + 2 * page, page + 1}));
    EXPECT_FALSE(accepts(Allocate{base + 4 * page, 1})) << "the page behind the one before is its gap";
}

TEST_F(ValidatorTest, AllocationsOutsideTheWorkspaceAreRefused) {
    EXPECT_FALSE(accepts(Allocate{base - page, 1}));
    EXPECT_FALSE(accepts(Allocate{base + 64 * page, 1}));
    EXPECT_FALSE(accepts(Allocate{base + 63 * page, 2 * page}));
    EXPECT_FALSE(accepts(Allocate{base + 1, 1}));
    EXPECT_FALSE(accepts(Allocate{base, 0}));
    EXPECT_FALSE(accepts(Allocate{base, 9 * page}));
    EXPECT_FALSE(accepts(Allocate{~Address{0} << 21, ~std::uint64_t{0}}));
}

TEST_F(ValidatorTest, LiveBytesAndAllocationsAreBounded) {
    EXPECT_TRUE(accepts(Allocate{base, 8 * page}));
    EXPECT_FALSE(accepts(Allocate{base + 9 * page, 1}));
    Validator fresh(hello, code);
    for (std::uint64_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(fresh.check(Allocate{base + 2 * i * page, 1}));
        EXPECT_TRUE(fresh.check(Release{base + 2 * i * page}));
    }
    EXPECT_FALSE(fresh.check(Allocate{base + 6 * page, 1}));
}

TEST_F(ValidatorTest, FillsAndCopiesStayInsideLiveMemory) {
    EXPECT_TRUE(accepts(Allocate{base, 100}));
    EXPECT_TRUE(accepts(Fill{0, base + 50, 0, {50, 1}, 1}));
    EXPECT_FALSE(accepts(Fill{0, base + 50, 0, {51, 1}, 1}));
    EXPECT_TRUE(accepts(Fill{0, base, 45, {10, 3}, 1}));
    EXPECT_FALSE(accepts(Fill{0, base, 46, {10, 3}, 1}));
    EXPECT_FALSE(accepts(Fill{0, base, 9, {10, 3}, 1})) << "rows overlap";
    EXPECT_FALSE(accepts(Fill{0, base, 1, {0, 1}, 1}));
    EXPECT_FALSE(accepts(Fill{0, base, ~std::uint64_t{0}, {10, 3}, 1}));
    EXPECT_TRUE(accepts(Release{base}));
    EXPECT_FALSE(accepts(Fill{0, base, 0, {1, 1}, 1}));
    EXPECT_FALSE(accepts(Release{base}));
}

TEST_F(ValidatorTest, InputsAreReadOnly) {
    EXPECT_TRUE(accepts(CopyOnDevice{0, output, input, 256, 256, {256, 1}}));
    EXPECT_FALSE(accepts(CopyOnDevice{0, input, output, 256, 256, {256, 1}}));
    EXPECT_FALSE(accepts(CopyOnDevice{0, output, input, 256, 256, {257, 1}}));
}

TEST_F(ValidatorTest, DataHasTheSizeOfItsRegion) {
    EXPECT_TRUE(accepts(CopyToDevice{0, output, 20, {10, 2}, std::vector<std::byte>(20)}));
    EXPECT_FALSE(accepts(CopyToDevice{0, output, 20, {10, 2}, std::vector<std::byte>(19)}));
    EXPECT_FALSE(accepts(CopyToDevice{0, output, 20, {std::uint64_t{1} << 63, 2}, {}}));
}

TEST_F(ValidatorTest, VariablesAreOfTheDeviceCode) {
    EXPECT_TRUE(accepts(CopyToHost{0, Symbol{"v", 60}, 4, {4, 1}}));
    EXPECT_FALSE(accepts(CopyToHost{0, Symbol{"v", 61}, 4, {4, 1}}));
    EXPECT_FALSE(accepts(CopyToHost{0, Symbol{"v", ~std::uint64_t{0}}, 4, {4, 1}}));
    EXPECT_FALSE(accepts(CopyToHost{0, Symbol{"w", 0}, 4, {4, 1}}));
}

TEST_F(ValidatorTest, StreamsAndEventsExistBeforeUse) {
    EXPECT_FALSE(accepts(RecordEvent{5, 1}));
    EXPECT_TRUE(accepts(CreateStream{5, false}));
    EXPECT_FALSE(accepts(CreateStream{5, false}));
    EXPECT_FALSE(accepts(CreateStream{0, true})) << "the legacy default stream is always there";
    EXPECT_FALSE(accepts(WaitEvent{0, 2}));
    EXPECT_TRUE(accepts(RecordEvent{5, 2}));
    EXPECT_TRUE(accepts(WaitEvent{0, 2}));
    EXPECT_TRUE(accepts(Synchronize{Synchronize::Scope::event, 2}));
    EXPECT_FALSE(accepts(Synchronize{Synchronize::Scope::stream, 6}));
}

TEST_F(ValidatorTest, LaunchesFitTheKernelAndTheDevice) {
    EXPECT_TRUE(accepts(launch()));
    const auto refused = [&](auto change) {
        Launch changed = launch();
        change(changed);
        return !accepts(changed);
    };
    EXPECT_TRUE(refused([](Launch& l) { l.kernel = "other"; }));
    EXPECT_TRUE(refused([](Launch& l) { l.arguments.pop_back(); }));
    EXPECT_TRUE(refused([](Launch& l) { l.arguments[1].push_back({}); }));
    EXPECT_TRUE(refused([](Launch& l) { l.grid.y = 65'536; }));
    EXPECT_TRUE(refused([](Launch& l) { l.grid.x = 0; }));
    EXPECT_TRUE(refused([](Launch& l) { l.block.x = 257; }));
    EXPECT_TRUE(refused([](Launch& l) { l.block = {1, 1, 65}; }));
    EXPECT_TRUE(refused([](Launch& l) { l.stream = 1; }));
    EXPECT_TRUE(refused([](Launch& l) { l.dynamic_shared_bytes = 232'448 - 999; }));
    EXPECT_FALSE(refused([](Launch& l) { l.dynamic_shared_bytes = 232'448 - 1000; }));
}

TEST_F(ValidatorTest, ArgumentsAreAsManyAsAKernelCanHaveWhateverTheDeviceCodeDeclares) {
    const auto declared_is_accepted = [&](std::size_t count, std::uint32_t bytes_of_each) {
        code[0].kernels[0].parameter_bytes.assign(count, bytes_of_each);
        Launch fitting = launch();
        fitting.arguments.assign(count, std::vector<std::byte>(bytes_of_each));
        return accepts(fitting);
    };
    EXPECT_TRUE(declared_is_accepted(4096, 7));
    EXPECT_FALSE(declared_is_accepted(4097, 1));
    EXPECT_TRUE(declared_is_accepted(1, 32'764));
    EXPECT_FALSE(declared_is_accepted(1, 32'765));
    EXPECT_FALSE(declared_is_accepted(2, 0));
}

TEST_F(ValidatorTest, OperationsAndBytesAreBounded) {
    hello.limits.operations = 2;
    hello.limits.bytes = 20;
    EXPECT_TRUE(accepts(launch()));
    EXPECT_FALSE(accepts(launch())) << "24 bytes of arguments";
    Validator fresh(hello, code);
    EXPECT_TRUE(fresh.check(Synchronize{}));
    EXPECT_TRUE(fresh.check(Synchronize{}));
    EXPECT_FALSE(fresh.check(Synchronize{}));
}

TEST_F(ValidatorTest, ClustersDivideTheGridAndAreSmall) {
    Launch clustered = launch();
    clustered.grid = {8, 4, 1};
    for (const Extent fits : {Extent{4, 2, 1}, Extent{8, 2, 1}, Extent{0, 0, 0}}) {
        clustered.cluster = fits;
        EXPECT_TRUE(accepts(clustered));
        EXPECT_TRUE(validator.check_launch(clustered));
    }
    for (const Extent impossible : {Extent{3, 1, 1}, Extent{8, 4, 1}, Extent{0, 1, 1}, Extent{~0U, ~0U, 1}}) {
        clustered.cluster = impossible;
        EXPECT_FALSE(accepts(clustered));
        EXPECT_FALSE(validator.check_launch(clustered));
    }
}

constexpr std::uint32_t float_format = 0x20;

TEST_F(ValidatorTest, CopiesStayInsideArrays) {
    const auto copy = [](const InArray& to, Region region) {
        return CopyOnDevice{0, to, input, region.row_bytes, region.row_bytes, region};
    };
    EXPECT_FALSE(accepts(copy({0, 0, 0, 0}, {16, 1})));
    EXPECT_TRUE(accepts(AllocateArray{0, 4, 3, 2, {float_format, 1}, 0}));
    EXPECT_TRUE(accepts(copy({0, 0, 0, 1}, {16, 3})));
    EXPECT_TRUE(accepts(copy({0, 12, 2, 0}, {4, 1})));
    EXPECT_FALSE(accepts(copy({0, 4, 0, 0}, {16, 1})));
    EXPECT_FALSE(accepts(copy({0, 0, 1, 0}, {16, 3})));
    EXPECT_FALSE(accepts(copy({0, 0, 0, 2}, {16, 1})));
    EXPECT_FALSE(accepts(copy({0, ~std::uint64_t{0}, 0, 0}, {16, 1})));
    EXPECT_FALSE(accepts(copy({1, 0, 0, 0}, {16, 1})));
    EXPECT_FALSE(accepts(Fill{0, InArray{0, 0, 0, 0}, 4, {4, 1}, 1}));
}

TEST_F(ValidatorTest, ArraysAreBoundedAsOtherMemory) {
    EXPECT_FALSE(accepts(AllocateArray{0, 0, 3, 2, {float_format, 1}, 0}));
    EXPECT_FALSE(accepts(AllocateArray{0, 4, 0, 0, {float_format, 3}, 0}));
    EXPECT_FALSE(accepts(AllocateArray{0, 4, 0, 0, {0x77, 1}, 0}));
    EXPECT_FALSE(accepts(AllocateArray{0, ~std::uint64_t{0}, ~std::uint64_t{0}, 4, {float_format, 4}, 0}));
    EXPECT_TRUE(accepts(AllocateArray{0, page, 0, 0, {float_format, 2}, 0})) << "all that the workspace has";
    EXPECT_FALSE(accepts(AllocateArray{1, 1, 0, 0, {float_format, 1}, 0}));
}

TEST_F(ValidatorTest, TexturesLieInMemoryThatIsThere) {
    CreateTexture texture;
    EXPECT_FALSE(Validator(hello, code).check(texture)) << "no array";
    EXPECT_TRUE(accepts(AllocateArray{0, 4, 0, 0, {float_format, 1}, 0}));
    EXPECT_TRUE(accepts(texture));
    EXPECT_FALSE(accepts(texture)) << "the same one again";

    texture.texture = 1;
    texture.resource = CreateTexture::Resource::linear;
    texture.texel = {float_format, 1};
    texture.address = input;
    texture.width = 65;
    EXPECT_FALSE(Validator(hello, code).check(texture));
    texture.width = 64;
    EXPECT_TRUE(Validator(hello, code).check(texture));
    texture.resource = CreateTexture::Resource::rows;
    texture.width = 16;
    texture.pitch = 64;
    texture.height = 4;
    EXPECT_TRUE(Validator(hello, code).check(texture));
    texture.height = 5;
    EXPECT_FALSE(Validator(hello, code).check(texture));
    texture.width = ~std::uint64_t{0} / 2;
    EXPECT_FALSE(Validator(hello, code).check(texture));
    texture.surface = true;
    EXPECT_FALSE(Validator(hello, code).check(texture)) << "a surface has an array";
}

} // namespace
} // namespace cudabench::recipe
