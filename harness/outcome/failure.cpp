#include "outcome/failure.h"

#include <stdexcept>

namespace cudabench {

std::string_view name(Stage stage) {
    switch (stage) {
    case Stage::not_built: return "not_built";
    case Stage::compile: return "compile";
    case Stage::contract: return "contract";
    case Stage::launch: return "launch";
    case Stage::edge: return "edge";
    case Stage::values: return "values";
    case Stage::measured: return "measured";
    case Stage::plausible: return "plausible";
    case Stage::not_run: return "not_run";
    case Stage::fault: return "fault";
    }
    throw std::logic_error("unknown stage");
}

} // namespace cudabench
