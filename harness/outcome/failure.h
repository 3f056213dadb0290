#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudabench {

/// Where a case ended. The stages up to `plausible` are the order in which a case is graded; the first that fails
/// names the failure. `not_run` and `fault` say nothing of the candidate.
enum class Stage : std::uint8_t {
    not_built, ///< no compile record: the candidate's target was never built
    compile,   ///< nvcc or the linker refused the source
    contract,  ///< signature, unsupported API, host crash, host time limit, rules
    launch,    ///< CUDA error, out of bounds, device time limit
    edge,      ///< wrong values at an awkward small shape
    values,    ///< wrong values at the scale's own shape
    measured,  ///< wrong values in a timed repetition
    plausible, ///< faster than physically possible
    not_run,   ///< something that the case needs is missing (a GPU)
    fault,     ///< the grader or the machine failed
};

/// The name that results, reports and messages use, equal to the enumerator's.
[[nodiscard]] std::string_view name(Stage stage);

/// Why something did not work, in words that a user can act on.
struct Failure {
    Stage stage;
    std::string message;
};

} // namespace cudabench
