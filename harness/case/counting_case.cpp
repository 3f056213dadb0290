#include "case/counting_case.h"

#include "case/result.h"
#include "case/text_file.h"
#include "driver/lost.h"
#include "outcome/shown_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace cudabench {

std::unique_ptr<CountingCase::Counters>& CountingCase::counters() {
    static std::unique_ptr<Counters> one;
    return one;
}

void CountingCase::TestBody() {
    if (driver::lost())
        return;
    try {
        count();
    } catch (const std::exception& error) {
        fail(error.what());
    }
}

void CountingCase::count() {
    const auto result = nlohmann::json::parse(read_text(state_.paths.result_of(counted_)));
    if (!counters()) {
        auto created = gpu::Executor::create();
        if (!created && created.error().stage == Stage::not_run) {
            state_.not_run_seen = true;
            fmt::print(stderr, "not counted: {}\n", created.error().message);
            return;
        }
        if (!created)
            return fail(created.error().message);
        counters() = std::make_unique<Counters>(std::move(*created));
    }
    const std::uint64_t seed = std::stoull(result.at("seed").get<std::string>(), nullptr, 16);
    const CountedResult counted = counters()->counting.count(state_.suite, counted_, state_.paths, seed);
    write_atomically(state_.paths.counters_of(counted_),
                     to_json(state_.suite, counted_, counted, result.at("candidate").at("source_sha256")));
}

void CountingCase::fail(const std::string& why) {
    fmt::print(stderr, "{} was not counted: {}\n", counted_.id, shown_text(why)); // nobody sees what GoogleTest prints
    FAIL();
}

} // namespace cudabench
