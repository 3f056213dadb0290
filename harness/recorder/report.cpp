#include "recorder/report.h"

#include "recipe/message.h"

#include <span>

namespace cudabench::recorder {

namespace {

std::string rest(std::string_view line, std::string_view word) {
    line.remove_prefix(word.size());
    return recipe::decode_text(std::as_bytes(std::span(line)));
}

void read_first(Report& report, std::string_view line) {
    report.confined = line == confined_word;
    if (line.starts_with(unconfined_word))
        report.refusal = rest(line, unconfined_word);
}

void read_later(Report& report, std::string_view line) {
    if (line.starts_with(failed_word) && !report.failure)
        report.failure = rest(line, failed_word);
    else if (line.starts_with(note_word))
        report.notes.push_back(rest(line, note_word));
}

} // namespace

Report read_report(std::string_view text) {
    Report report;
    auto read = read_first;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        read(report, text.substr(0, end));
        read = read_later;
        text.remove_prefix(end + 1);
    }
    return report;
}

} // namespace cudabench::recorder
