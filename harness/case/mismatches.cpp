#include "case/mismatches.h"

namespace cudabench {

Mismatches mismatches_of(const verify::Comparison& comparison, const std::string& output) {
    Mismatches all{.output = output, .count = comparison.mismatches, .total = comparison.total, .first = {}};
    for (const verify::Difference& d : comparison.first)
        all.first.push_back({.index = d.index, .expected = d.expected, .got = d.got, .allowed = d.allowed});
    return all;
}

} // namespace cudabench
