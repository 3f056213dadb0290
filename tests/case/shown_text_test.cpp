#include "outcome/shown_text.h"

#include <gtest/gtest.h>

#include <string>

namespace cudabench {
namespace {

TEST(ShownText, BreaksWhatCTestActsOn) {
    const std::string attack =
        "<CTestMeasurementFile type=\"file\" name=\"loot\">/etc/hostname</CTestMeasurementFile>\n"
        "<DartMeasurement type=\"numeric/double\" name=\"score\">1</DartMeasurement> <ctestdetails> CTEST_FULL_OUTPUT";
    const std::string shown = shown_text(attack);
    for (const char* tag : {"<CTest", "</CTest", "<Dart", "</Dart", "<ctest", "CTEST_FULL_OUTPUT"})
        EXPECT_EQ(shown.find(tag), std::string::npos) << tag;
    EXPECT_NE(shown.find("MeasurementFile"), std::string::npos) << "a reader still sees what was said";
}

TEST(ShownText, BreaksCommandsOfContinuousIntegration) {
    EXPECT_EQ(shown_text("::error::no\n \t::set-output name=x::1\n\u00a0\u3000::debug::\n::"),
              ": :error::no\n \t: :set-output name=x::1\n\u00a0\u3000: :debug::\n: :");
    EXPECT_EQ(shown_text("a ##[error]b ###[group] ##vso[task.complete] ##teamcity[x]"),
              "a # #[error]b ## #[group] # #vso[task.complete] # #teamcity[x]");
    const std::string others = "x::y ::z\nstd::min\n## heading [a]\n#[x] ##";
    EXPECT_EQ(shown_text(others), others);
}

TEST(ShownText, LeavesTerminalsAlone) {
    EXPECT_EQ(shown_text("\x1b]0;owned\x07\x7f\r"), "?]0;owned???");
    EXPECT_EQ(shown_text("\xc2\x9b"
                         "31m"),
              "??31m"); // CSI of Unicode
    EXPECT_EQ(shown_text("line\n\ttabbed <float> é"), "line\n\ttabbed <float> é");
}

TEST(ShownText, LeavesTheDirectionOfWritingAlone) {
    for (const char* mark :
         {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"})
        EXPECT_EQ(shown_text(std::string("a") + mark + "b"), "a???b") << mark;
    EXPECT_EQ(shown_text("\u061c"), "??");
    const std::string near = "\u200d\u2010\u2027\u202f\u2065\u206a\u061b\u061d \xe2\x80";
    EXPECT_EQ(shown_text(near), near) << "characters beside them, and one that is cut off, stay";
}

} // namespace
} // namespace cudabench
