#pragma once

#include "recorder/record.h"

#include <gtest/gtest.h>

#include <string>

namespace cudabench::recorder {

/// A device that answers every copy with bytes of 7 and counts the questions.
class CountingAnswers : public Answers {
public:
    Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe& so_far,
                                                           const recipe::CopyToHost& question) override;
    Expected<recipe::Address, Failure> symbol_address(const std::string& name) override;

    int copies = 0;
    std::size_t operations_before_last_copy = 0;
    std::chrono::milliseconds delay{0};
    std::optional<Failure> failure;
};

/// Records functions of the candidates beside this file.
class RecordingTest : public testing::Test {
public:
    static constexpr recipe::Address workspace_base = 0x200000000000;
    static constexpr recipe::Address buffer = 0x210000000000;

    RecordingTest();
    ~RecordingTest() override;

    static std::filesystem::path candidate(const std::string& name);
    Recording run(const std::string& candidate_name, const std::string& function = "cudabench_call");
    /// The failure's message, "" if there is none; the stage is expected to be contract.
    std::string failure_of(const std::string& candidate_name, const std::string& function = "cudabench_call");

    recorder::Setup setup;
    recipe::Call call;
    CountingAnswers answers;

private:
    int open_descriptors_;
};

/// Whether a child of this process, ended or not, is still there.
[[nodiscard]] bool has_child();

} // namespace cudabench::recorder
