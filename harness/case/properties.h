#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace cudabench {

/// Everything of `json` that is a number or a short text, as properties of the running GoogleTest case; names of what
/// is inside objects are joined by dots.
void record_properties(const nlohmann::json& json, const std::string& prefix = "");

} // namespace cudabench
