#include "case/properties.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cudabench {

void record_properties(const nlohmann::json& json, const std::string& prefix) {
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            record_properties(value, prefix + key + ".");
        else if (value.is_string() && value.get_ref<const std::string&>().size() < 200)
            testing::Test::RecordProperty(prefix + key, value.get<std::string>());
        else if (value.is_number() || value.is_boolean())
            testing::Test::RecordProperty(prefix + key, value.dump());
    }
}

} // namespace cudabench
