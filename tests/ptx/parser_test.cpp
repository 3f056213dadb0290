#include "ptx/parser.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace cudabench::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Operand::Kind;

class Sample : public testing::Test {
protected:
    void SetUp() override {
        auto parsed = parse(sample);
        ASSERT_TRUE(parsed) << parsed.error().message;
        module_ = std::move(*parsed);
        kernel_ = module_.function("kernel");
        ASSERT_NE(kernel_, nullptr);
    }

    [[nodiscard]] const Instruction& instruction(std::string_view name, int occurrence = 0) const {
        for (const Instruction& instruction : kernel_->instructions)
            if (full_name(instruction) == name && occurrence-- == 0)
                return instruction;
        throw std::runtime_error("no such instruction");
    }

    Module module_;
    const Function* kernel_ = nullptr;
};

TEST_F(Sample, Variables) {
    EXPECT_EQ(module_.version, 90U);
    EXPECT_EQ(module_.target, "sm_90");
    const Variable* const counter = module_.variable("counter");
    ASSERT_NE(counter, nullptr);
    EXPECT_EQ(counter->bytes, 16U);
    EXPECT_EQ(counter->alignment, 4U);
    EXPECT_EQ(counter->initial.size(), 5U);
    const Variable* const pointer = module_.variable("pointer");
    ASSERT_EQ(pointer->relocations.size(), 1U);
    EXPECT_EQ(pointer->relocations[0].symbol, "counter");
    EXPECT_EQ(pointer->relocations[0].addend, 8);
    const Variable* const bytes_of_address = module_.variable("bytes");
    ASSERT_EQ(bytes_of_address->relocations.size(), 2U);
    EXPECT_EQ(bytes_of_address->relocations[1].first_byte, 1U);
    EXPECT_TRUE(module_.variable("dynamic")->external);
    EXPECT_EQ(module_.variable("weights")->space, Space::constant);
}

TEST_F(Sample, Functions) {
    EXPECT_TRUE(kernel_->entry);
    EXPECT_EQ(kernel_->max_threads, 256U);
    ASSERT_EQ(kernel_->parameters.size(), 2U);
    EXPECT_EQ(kernel_->parameters[0].bytes, 8U);
    EXPECT_EQ(kernel_->parameters[0].alignment, 8U); // not what it points to
    EXPECT_TRUE(module_.function("vprintf")->external);
    EXPECT_EQ(module_.function("helper")->returns.size(), 1U);
    EXPECT_EQ(module_.function("helper")->parameters[1].bytes, 16U);
}

TEST_F(Sample, Operands) {
    const Instruction& load = instruction("ld.global.nc.L1::no_allocate.v2.u32");
    EXPECT_THAT(load.modifiers, ElementsAre("global", "nc", "L1::no_allocate", "v2", "u32"));
    EXPECT_EQ(load.operands[0].kind, Kind::vector);
    EXPECT_EQ(load.operands[0].parts[1].kind, Kind::sink);
    EXPECT_EQ(load.operands[1].kind, Kind::address);
    EXPECT_EQ(load.operands[1].offset, -8);
    EXPECT_EQ(load.source_line, 12U);
    EXPECT_EQ(instruction("mov.u32").operands[1].name, "%tid.x");
    EXPECT_EQ(instruction("setp.lt.s32").operands[0].kind, Kind::pair);
    EXPECT_EQ(static_cast<std::int64_t>(instruction("setp.lt.s32").operands[2].bits), -5);
    EXPECT_TRUE(instruction("selp.b32").operands[3].negated);
    EXPECT_TRUE(instruction("bra").guard_negated);
    const Instruction& call = instruction("call.uni");
    EXPECT_EQ(call.operands[0].kind, Kind::list);
    EXPECT_EQ(call.operands[1].name, "helper");
    EXPECT_EQ(call.operands[2].parts.size(), 2U);
}

TEST_F(Sample, NamesMeanWhatTheirScopeSays) {
    const std::uint32_t up = instruction("add.s32").operands[0].index;
    const std::uint32_t down = instruction("sub.s32").operands[0].index;
    EXPECT_NE(up, down);
    const auto target = [&](int occurrence) {
        return &kernel_->instructions[instruction("bra", occurrence).operands[0].index];
    };
    EXPECT_EQ(full_name(*target(1)), "add.s32");
    EXPECT_EQ(full_name(*target(2)), "sub.s32");
    EXPECT_EQ(full_name(*target(0)), "st.param.b32");
    ASSERT_EQ(kernel_->branch_targets.size(), 1U);
    EXPECT_EQ(full_name(kernel_->instructions[kernel_->branch_targets[0][1].index]), "fma.rn.f32");
}

TEST(Parser, ModifiersMayBeginWithADigit) {
    const auto parsed = parse(".visible .entry k()\n{\n .reg .f32 %f<7>;\n .reg .b64 %rd<2>;\n"
                              " tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n ret;\n}\n");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(full_name(parsed->function("k")->instructions.at(0)), "tex.2d.v4.f32.f32");
}

TEST(Parser, ErrorsNameTheLine) {
    const auto message = [](std::string_view text) {
        const auto parsed = parse(text);
        return parsed ? "" : parsed.error().message;
    };
    EXPECT_THAT(message(".version 9.0\n.bogus\n"), HasSubstr("PTX line 2: unknown directive .bogus"));
    EXPECT_THAT(message(".entry k()\n{\n ret\n}\n"), HasSubstr("PTX line 4"));
    EXPECT_THAT(message(".entry k()\n{\n ret;\n"), HasSubstr("found the end"));
    EXPECT_THAT(message(".entry k()\n{\n .reg .b32 %r<99999999>;\n}"), HasSubstr("too many registers"));
    EXPECT_THAT(message(".global .b8 x[4] = {1, 2, 3, 4, 5};"), HasSubstr("longer than its variable"));
    EXPECT_THAT(message(".global .f32 x = .5;"), HasSubstr("a number starts with a dot"));
    EXPECT_THAT(message("\x01"), HasSubstr("unexpected character 0x01"));
}

} // namespace
} // namespace cudabench::ptx
