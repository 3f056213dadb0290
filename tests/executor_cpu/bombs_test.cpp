#include "watched_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <gmock/gmock.h>

/// Device code that no compiler makes: it asks for more memory, stack or time of the host than there is.
namespace cudabench::cpu {
namespace {

using testing::HasSubstr;

constexpr const char* header = ".version 8.5\n.target sm_90\n.address_size 64\n";

/// Why the kernel k of a module cannot be interpreted; empty if it can.
std::string refusal(const std::string& text) {
    const auto module = ptx::parse(text);
    if (!module)
        return module.error().message;
    Linkage linkage(*module);
    for (const ptx::Variable& variable : module->variables)
        linkage.place(variable.name, watched_input);
    const auto code = decode_kernel(linkage, *module->function("k"));
    return code ? "" : code.error().message;
}

std::string kernel(const std::string& body) {
    return ".visible .entry k()\n{\n" + body + "ret;\n}\n";
}

/// The pattern for each number below `n`, which stands for {0}.
std::string repeated(int n, const std::string& pattern) {
    std::string text;
    for (int i = 0; i < n; ++i)
        text += fmt::format(fmt::runtime(pattern), i);
    return text;
}

TEST(Bombs, FramesAreBoundedBeforeTheirSizeWrapsAround) {
    // 2,048 times 64 KiB for 32 lanes are 2^32 bytes.
    EXPECT_THAT(refusal(header + kernel(repeated(2048, ".param .b8 p{}[65536];\n") + "st.param.b32 [p2047], 1;\n")),
                HasSubstr("registers and parameters of a warp"));
    EXPECT_THAT(refusal(header + kernel(".param .b8 p[65537];\n")), HasSubstr("65537 bytes of a parameter"));
    EXPECT_EQ(refusal(header + kernel(".param .b8 p[65536];\nst.param.b32 [p], 1;\n")), "");
}

TEST(Bombs, MemoryOfThreadsAndBlocksIsBounded) {
    EXPECT_THAT(refusal(header + kernel(".local .b8 l[4294967312];\n")), HasSubstr("local memory"));
    EXPECT_THAT(refusal(header + kernel(repeated(20, ".local .b8 l{}[32768];\n"))), HasSubstr("local memory"));
    EXPECT_THAT(refusal(header + kernel(repeated(4097, ".shared .b8 s{}[1048576];\n"))), HasSubstr("shared memory"));
}

TEST(Bombs, ParametersOfAKernelAreBoundedTogether) {
    EXPECT_THAT(refusal(header + std::string(".visible .entry k(.param .b8 p[65536], .param .b8 q[1])\n{\nret;\n}\n")),
                HasSubstr("65537 bytes of parameters"));
}

TEST(Bombs, ChainsOfVariablesNeedNoStack) {
    std::string chain = ".global .u64 v0 = 1;\n";
    for (int i = 1; i < 100'000; ++i)
        chain += fmt::format(".global .u64 v{} = v{};\n", i, i - 1);
    EXPECT_EQ(refusal(header + chain + kernel(".reg .u64 %a;\nmov.u64 %a, v99999;\n")), "");
}

TEST(Bombs, ChainsOfFunctionsAreBounded) {
    const auto chain = [](int length) {
        std::string text = ".func f0()\n{\nret;\n}\n";
        for (int i = 1; i < length; ++i)
            text += fmt::format(".func f{}()\n{{\ncall f{};\nret;\n}}\n", i, i - 1);
        return header + text + kernel(fmt::format("call f{};\n", length - 1));
    };
    EXPECT_EQ(refusal(chain(1000)), "");
    EXPECT_THAT(refusal(chain(20'000)), HasSubstr("a chain of more than 4096 calls"));
}

TEST(Bombs, MessagesAreAsLongAsAReaderLikes) {
    const std::string said = refusal(header + kernel(std::string(1'000'000, 'a') + ";\n"));
    EXPECT_THAT(said, HasSubstr("unsupported_instruction: aaa"));
    EXPECT_LT(said.size(), 1000);
}

TEST(Bombs, ScopesDoNotNestWithoutEnd) {
    EXPECT_EQ(refusal(header + kernel(std::string(60, '{') + std::string(60, '}'))), "");
    EXPECT_THAT(refusal(header + kernel(std::string(100'000, '{') + std::string(100'000, '}'))),
                HasSubstr("too many braces"));
}

TEST(Bombs, RegistersTimesBranchesAreBounded) {
    EXPECT_THAT(refusal(header + kernel(".reg .b128 %q<1000000>;\n" + repeated(3000, "L{0}: bra L{0};\n"))),
                HasSubstr("too many registers and branches"));
}

TEST(Bombs, RecursionEndsBeforeTheMemoryOfTheHost) {
    // 1,000 live registers of 8 bytes a thread and call, in 32 warps: 4,096 calls would take 32 GiB.
    const std::string deep = ".func f(.param .u64 n)\n{\n.reg .u64 %a<1002>;\nld.param.u64 %a0, [n];\n" + [] {
        std::string text;
        for (int i = 1; i < 1000; ++i)
            text += fmt::format("add.u64 %a{}, %a0, {};\n", i, i);
        text += "{ .param .u64 m;\nst.param.u64 [m], %a0;\ncall f, (m); }\n";
        for (int i = 1; i < 1000; ++i)
            text += fmt::format("xor.b64 %a0, %a0, %a{};\n", i);
        return text + "ret;\n}\n";
    }();
    const std::string text = header + deep + kernel(".param .u64 m;\nst.param.u64 [m], 1;\ncall f, (m);\n");
    const auto module = ptx::parse(text);
    ASSERT_TRUE(module) << module.error().message;
    const Linkage linkage(*module);
    const auto code = decode_kernel(linkage, *module->function("k"));
    ASSERT_TRUE(code) << code.error().message;
    Memory memory;
    Budget budget;
    budget.warp_steps = 100'000'000;
    budget.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    Grid grid;
    grid.code = &*code;
    grid.memory = &memory;
    grid.kernel = "k";
    grid.block.x = 1024;
    grid.budget = &budget;
    const auto done = run_grid(grid, 1);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("stack overflow"));
    EXPECT_LT(grid.call_frames, std::uint64_t{5} << 28);
}

} // namespace
} // namespace cudabench::cpu
