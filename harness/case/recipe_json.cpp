#include "case/recipe_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace cudabench {
namespace {

using Json = nlohmann::ordered_json;

// What a hostile recipe can make a result grow by is bounded.
constexpr std::size_t shown_arguments = 64;
constexpr std::size_t shown_bytes = 64;

std::string hexadecimal(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes.first(std::min(bytes.size(), shown_bytes)))
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return bytes.size() > shown_bytes ? fmt::format("{}... ({} bytes)", text, bytes.size()) : text;
}

Json to_json(const recipe::Extent& extent) {
    return {extent.x, extent.y, extent.z};
}

std::string to_text(const recipe::Place& place) {
    if (const auto* address = std::get_if<recipe::Address>(&place))
        return fmt::format("{:#x}", *address);
    if (const auto* in = std::get_if<recipe::InArray>(&place))
        return fmt::format("array {}: byte {}, row {}, slice {}", in->array, in->x, in->y, in->z);
    const auto& symbol = std::get<recipe::Symbol>(place);
    return fmt::format("{}+{}", symbol.name, symbol.offset);
}

std::uint64_t size_of(const recipe::Region& region) {
    return region.row_bytes * region.rows;
}

struct ToJson {
    Json operator()(const recipe::Allocate& o) const {
        return {{"operation", "allocate"}, {"address", fmt::format("{:#x}", o.address)}, {"bytes", o.bytes}};
    }
    Json operator()(const recipe::Release& o) const {
        return {{"operation", "release"}, {"address", fmt::format("{:#x}", o.address)}};
    }
    Json operator()(const recipe::CreateStream& o) const {
        return {{"operation", "create_stream"}, {"stream", o.stream}, {"blocking", o.blocking}};
    }
    Json operator()(const recipe::Launch& o) const {
        Json arguments = Json::array();
        for (const auto& argument : std::span(o.arguments).first(std::min(o.arguments.size(), shown_arguments)))
            arguments.push_back(hexadecimal(argument));
        if (o.arguments.size() > shown_arguments)
            arguments.push_back(fmt::format("... ({} arguments)", o.arguments.size()));
        return {{"operation", "launch"},         {"stream", o.stream},        {"kernel", o.kernel},
                {"grid", to_json(o.grid)},       {"block", to_json(o.block)}, {"shared_bytes", o.dynamic_shared_bytes},
                {"cooperative", o.cooperative},  {"arguments", arguments},    {"cluster", to_json(o.cluster)},
                {"programmatic", o.programmatic}};
    }
    Json operator()(const recipe::Fill& o) const {
        return {{"operation", "fill"},
                {"stream", o.stream},
                {"destination", to_text(o.destination)},
                {"bytes", size_of(o.region)},
                {"value", o.value}};
    }
    Json operator()(const recipe::CopyToDevice& o) const {
        return {{"operation", "copy_to_device"},
                {"stream", o.stream},
                {"destination", to_text(o.destination)},
                {"bytes", size_of(o.region)}};
    }
    Json operator()(const recipe::CopyOnDevice& o) const {
        return {{"operation", "copy_on_device"},
                {"stream", o.stream},
                {"destination", to_text(o.destination)},
                {"source", to_text(o.source)},
                {"bytes", size_of(o.region)}};
    }
    Json operator()(const recipe::CopyToHost& o) const {
        return {{"operation", "copy_to_host"},
                {"stream", o.stream},
                {"source", to_text(o.source)},
                {"bytes", size_of(o.region)}};
    }
    Json operator()(const recipe::RecordEvent& o) const {
        return {{"operation", "record_event"}, {"stream", o.stream}, {"event", o.event}};
    }
    Json operator()(const recipe::WaitEvent& o) const {
        return {{"operation", "wait_event"}, {"stream", o.stream}, {"event", o.event}};
    }
    Json operator()(const recipe::Synchronize& o) const {
        constexpr const char* scopes[] = {"device", "stream", "event"};
        return {{"operation", "synchronize"}, {"scope", scopes[static_cast<std::size_t>(o.scope)]}, {"id", o.id}};
    }
    Json operator()(const recipe::AllocateArray& o) const {
        return {{"operation", "allocate_array"},        {"array", o.array},
                {"size", {o.width, o.height, o.depth}}, {"format", o.texel.format},
                {"channels", o.texel.channels},         {"flags", o.flags}};
    }
    Json operator()(const recipe::CreateTexture& o) const {
        constexpr const char* resources[] = {"array", "linear", "rows"};
        return {{"operation", o.surface ? "create_surface" : "create_texture"},
                {"texture", o.texture},
                {"resource", resources[static_cast<std::size_t>(o.resource)]},
                {"array", o.array},
                {"address", fmt::format("{:#x}", o.address)},
                {"handle", o.handle}};
    }
};

} // namespace

nlohmann::ordered_json to_json(const recipe::Recipe& recipe, std::size_t limit) {
    Json all = Json::array();
    for (const recipe::Operation& operation : recipe.operations) {
        if (all.size() == limit)
            break;
        all.push_back(std::visit(ToJson{}, operation));
    }
    return all;
}

} // namespace cudabench
