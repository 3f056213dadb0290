#include "case/task_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace cudabench {
namespace {

using Json = nlohmann::json;

/// A value and where in the task it stands.
class Node {
public:
    Node(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

    [[nodiscard]] Node operator[](const char* key) const {
        if (!json_.is_object() || !json_.contains(key))
            fail(fmt::format("lacks {}", key));
        return {json_[key], place_ + "." + key};
    }

    template <typename Value> [[nodiscard]] Value as() const {
        try {
            return json_.get<Value>();
        } catch (const Json::exception&) {
            fail("has a value of the wrong type");
        }
    }

    template <typename Read> [[nodiscard]] auto list(const Read& read) const {
        if (!json_.is_array())
            fail("is no list");
        std::vector<decltype(read(*this))> all;
        for (std::size_t i = 0; i < json_.size(); ++i)
            all.push_back(read(Node(json_[i], fmt::format("{}[{}]", place_, i))));
        return all;
    }

    /// The value that the text names.
    template <typename Value>
    [[nodiscard]] Value one_of(std::initializer_list<std::pair<const char*, Value>> names) const {
        const auto text = as<std::string>();
        for (const auto& [name, value] : names)
            if (text == name)
                return value;
        fail(fmt::format("is {}, which is unknown", text));
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(fmt::format("task {} {}", place_, what));
    }

    const Json& json_;
    std::string place_;
};

Dtype dtype(const Node& node) {
    return node.one_of<Dtype>({{"float32", Dtype::float32},
                               {"float64", Dtype::float64},
                               {"int32", Dtype::int32},
                               {"uint32", Dtype::uint32},
                               {"int64", Dtype::int64},
                               {"uint8", Dtype::uint8}});
}

Distribution distribution(const Node& node) {
    using Kind = Distribution::Kind;
    return {.kind = node["kind"].one_of<Kind>({{"uniform", Kind::uniform},
                                               {"normal", Kind::normal},
                                               {"integer", Kind::integer},
                                               {"ascending", Kind::ascending}}),
            .a = node["a"].as<double>(),
            .b = node["b"].as<double>(),
            .drift = node["drift"].as<bool>(),
            .needle_probability = node["needle_probability"].as<double>(),
            .needle_factor = node["needle_factor"].as<double>()};
}

Input input(const Node& node) {
    return {.name = node["name"].as<std::string>(), .dtype = dtype(node["dtype"])};
}

Check check(const Node& node) {
    return {.exact = node["exact"].as<bool>(),
            .exact_on_integers = node["exact_on_integers"].as<bool>(),
            .factor = node["factor"].as<double>(),
            .rms_factor = node["rms_factor"].as<double>(),
            .ulps = node["ulps"].as<double>()};
}

Output output(const Node& node) {
    return {.name = node["name"].as<std::string>(), .dtype = dtype(node["dtype"]), .check = check(node["check"])};
}

Work work(const Node& node) {
    return {.fp32 = node["fp32"].as<double>(),
            .fp64 = node["fp64"].as<double>(),
            .tensor = node["tensor"].as<double>(),
            .sfu = node["sfu"].as<double>(),
            .int32 = node["int32"].as<double>(),
            .read_bytes = node["read_bytes"].as<double>(),
            .write_bytes = node["write_bytes"].as<double>()};
}

Shape shape(const Node& node) {
    return {.name = node["name"].as<std::string>(),
            .dims = node["dims"].as<std::vector<std::int64_t>>(),
            .input_elements = node["input_elements"].as<std::vector<std::uint64_t>>(),
            .input_values = node["input_values"].list(distribution),
            .input_integers = node["input_integers"].list(distribution),
            .output_elements = node["output_elements"].as<std::vector<std::uint64_t>>(),
            .output_terms = node["output_terms"].as<std::vector<double>>(),
            .floor = work(node["floor"]),
            .model = work(node["model"])};
}

} // namespace

Task task_from_json(const Json& json) {
    const Node node(json, json.is_object() ? json.value("name", "?") : "?");
    return {.name = node["name"].as<std::string>(),
            .domain = node["domain"].as<std::string>(),
            .hash = node["hash"].as<std::string>(),
            .dims = node["dims"].as<std::vector<std::string>>(),
            .params = node["params"].as<std::vector<double>>(),
            .inputs = node["inputs"].list(input),
            .outputs = node["outputs"].list(output),
            .scales = node["scales"].list(shape),
            .edges = node["edges"].list(shape),
            .tensor_admitted = node["tensor_admitted"].as<bool>()};
}

} // namespace cudabench
