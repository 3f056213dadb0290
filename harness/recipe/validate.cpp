#include "recipe/validate.h"

#include <cuda.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace cudabench::recipe {

namespace {

Failure refused(const std::string& what) {
    return {Stage::contract, "invalid recipe: " + what};
}

/// What an operation carries beside its fixed fields.
std::uint64_t payload_bytes(const Operation& operation) {
    if (const auto* copy = std::get_if<CopyToDevice>(&operation))
        return copy->data.size();
    std::uint64_t bytes = 0;
    if (const auto* launch = std::get_if<Launch>(&operation))
        for (const auto& argument : launch->arguments)
            bytes += argument.size();
    return bytes;
}

bool fits(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

bool each_within(const Extent& extent, const std::array<std::uint32_t, 3>& most) {
    return extent.x >= 1 && extent.y >= 1 && extent.z >= 1 && extent.x <= most[0] && extent.y <= most[1] &&
           extent.z <= most[2];
}

} // namespace

std::uint64_t touched_bytes(std::uint64_t pitch, Region region) {
    if (region.row_bytes == 0 || region.rows == 0 || (region.rows > 1 && pitch < region.row_bytes))
        return 0;
    const std::uint64_t gaps = region.rows - 1;
    const std::uint64_t rest = std::numeric_limits<std::uint64_t>::max() - region.row_bytes;
    if (gaps != 0 && pitch > rest / gaps)
        return 0;
    return gaps * pitch + region.row_bytes;
}

Validator::Validator(const Hello& hello, std::span<const device_code::FatBinary> code)
    : hello_(hello), code_(code), next_address_(hello.workspace.base), streams_{0} {}

Expected<Done, Failure> Validator::check(const Operation& operation) {
    ++operations_;
    bytes_ += payload_bytes(operation);
    if (operations_ > hello_.limits.operations)
        return refused("more than " + std::to_string(hello_.limits.operations) + " operations");
    if (bytes_ > hello_.limits.bytes)
        return refused("more than " + std::to_string(hello_.limits.bytes) + " bytes of arguments and data");
    return std::visit([&](const auto& o) { return admit(o); }, operation);
}

Expected<Done, Failure> Validator::check_all(std::span<const Operation> operations) {
    for (const Operation& operation : operations)
        if (const auto admitted = check(operation); !admitted)
            return admitted.error();
    return Done{};
}

Validator::Result Validator::admit(const Allocate& o) {
    const Workspace& workspace = hello_.workspace;
    const std::uint64_t mask = workspace.granularity - 1;
    if (o.bytes == 0 || o.bytes > workspace.bytes)
        return refused("allocation of " + std::to_string(o.bytes) + " bytes");
    if ((o.address & mask) != 0 || o.address < next_address_)
        return refused("allocation at a used or unaligned address");
    const std::uint64_t mapped = (o.bytes + mask) & ~mask;
    if (!fits(o.address - workspace.base, mapped, workspace.span))
        return refused("allocation outside the workspace");
    if (++allocations_ > hello_.limits.allocations)
        return refused("more than " + std::to_string(hello_.limits.allocations) + " allocations");
    live_bytes_ += mapped;
    if (live_bytes_ > workspace.bytes)
        return refused("more memory than the workspace has");
    next_address_ = o.address + mapped + workspace.granularity;
    live_[o.address] = o.bytes;
    return Done{};
}

Validator::Result Validator::admit(const Release& o) {
    const auto found = live_.find(o.address);
    if (found == live_.end())
        return refused("release of what is not allocated");
    const std::uint64_t mask = hello_.workspace.granularity - 1;
    live_bytes_ -= (found->second + mask) & ~mask;
    live_.erase(found);
    return Done{};
}

Validator::Result Validator::admit(const CreateStream& o) {
    if (!streams_.insert(o.stream).second)
        return refused("stream created twice");
    if (streams_.size() > hello_.limits.streams)
        return refused("more than " + std::to_string(hello_.limits.streams) + " streams");
    return Done{};
}

const device_code::Kernel* Validator::find_kernel(const std::string& name) const {
    for (const auto& code : code_)
        if (const auto* kernel = code.kernel(name))
            return kernel;
    return nullptr;
}

Expected<Done, Failure> Validator::check_launch(const Launch& launch) const {
    const device_code::Kernel* kernel = find_kernel(launch.kernel);
    return kernel ? shape_admitted(launch, *kernel) : refused("a kernel that the device code lacks");
}

Validator::Result Validator::admit(const Launch& o) const {
    if (auto stream = stream_exists(o.stream); !stream)
        return stream;
    const device_code::Kernel* kernel = find_kernel(o.kernel);
    if (kernel == nullptr)
        return refused("launch of a kernel that the device code lacks");
    if (!arguments_possible(o.arguments))
        return refused("launch with more arguments than a kernel can have, or with an empty one");
    if (o.arguments.size() != kernel->parameter_bytes.size())
        return refused("launch with a wrong number of arguments");
    for (std::size_t i = 0; i < o.arguments.size(); ++i)
        if (o.arguments[i].size() != kernel->parameter_bytes[i])
            return refused("launch with an argument of a wrong size");
    return shape_admitted(o, *kernel);
}

Validator::Result Validator::shape_admitted(const Launch& o, const device_code::Kernel& kernel) const {
    const auto attribute = [&](CUdevice_attribute which) {
        return static_cast<std::uint32_t>(hello_.device.attributes.at(which));
    };
    if (!each_within(o.grid,
                     {attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                      attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)}))
        return refused("launch of an impossible grid");
    if (!each_within(o.block,
                     {attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                      attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)}))
        return refused("launch of an impossible block");
    const std::uint64_t threads = std::uint64_t{o.block.x} * o.block.y * o.block.z;
    if (threads > attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ||
        (kernel.max_threads != 0 && threads > kernel.max_threads))
        return refused("launch with too many threads in a block");
    if (std::uint64_t{o.dynamic_shared_bytes} + kernel.static_shared_bytes >
        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))
        return refused("launch with too much shared memory");
    return cluster_admitted(o);
}

Validator::Result Validator::cluster_admitted(const Launch& o) const {
    constexpr std::uint32_t most_blocks = 16;
    if (o.cluster == Extent{0, 0, 0})
        return Done{};
    if (!each_within(o.cluster, {most_blocks, most_blocks, most_blocks}) ||
        o.cluster.x * o.cluster.y * o.cluster.z > most_blocks)
        return refused("launch with an impossible cluster");
    if (o.grid.x % o.cluster.x != 0 || o.grid.y % o.cluster.y != 0 || o.grid.z % o.cluster.z != 0)
        return refused("launch of a grid that is no multiple of its cluster");
    return Done{};
}

Validator::Result Validator::admit(const Fill& o) const {
    if (std::holds_alternative<InArray>(o.destination))
        return refused("fill of an array");
    const auto stream = stream_exists(o.stream);
    return stream ? within(o.destination, {o.pitch, o.region, true}) : stream;
}

Validator::Result Validator::admit(const CopyToDevice& o) const {
    if (auto stream = stream_exists(o.stream); !stream)
        return stream;
    // touched_bytes() has no overflow for rows packed, if this product is right.
    if (touched_bytes(o.region.row_bytes, o.region) != o.data.size())
        return refused("copy with a wrong number of bytes");
    return within(o.destination, {o.pitch, o.region, true});
}

Validator::Result Validator::admit(const CopyOnDevice& o) const {
    if (auto stream = stream_exists(o.stream); !stream)
        return stream;
    const auto source = within(o.source, {o.source_pitch, o.region, false});
    return source ? within(o.destination, {o.destination_pitch, o.region, true}) : source;
}

Validator::Result Validator::admit(const CopyToHost& o) const {
    if (auto stream = stream_exists(o.stream); !stream)
        return stream;
    const std::uint64_t packed = touched_bytes(o.region.row_bytes, o.region);
    if (packed == 0 || packed > max_copy_bytes)
        return refused("copy to the host of an impossible size");
    return within(o.source, {o.pitch, o.region, false});
}

Validator::Result Validator::admit(const RecordEvent& o) {
    events_.insert(o.event);
    if (events_.size() > hello_.limits.events)
        return refused("more than " + std::to_string(hello_.limits.events) + " events");
    return stream_exists(o.stream);
}

Validator::Result Validator::admit(const WaitEvent& o) const {
    const auto stream = stream_exists(o.stream);
    return stream ? event_recorded(o.event) : stream;
}

Validator::Result Validator::admit(const Synchronize& o) const {
    switch (o.scope) {
    case Synchronize::Scope::device: return Done{};
    case Synchronize::Scope::stream: return stream_exists(o.id);
    case Synchronize::Scope::event: return event_recorded(o.id);
    }
    return refused("synchronisation of unknown scope");
}

Validator::Result Validator::admit(const AllocateArray& o) {
    const Workspace& workspace = hello_.workspace;
    const std::uint64_t texel = texel_bytes(o.texel);
    if (texel == 0)
        return refused("array of an unknown format");
    std::uint64_t bytes = texel;
    for (const std::uint64_t size :
         {o.width, std::max<std::uint64_t>(o.height, 1), std::max<std::uint64_t>(o.depth, 1)}) {
        if (size == 0 || size > workspace.bytes / bytes)
            return refused("array of an impossible size");
        bytes *= size;
    }
    if (arrays_.size() >= hello_.limits.allocations)
        return refused("more than " + std::to_string(hello_.limits.allocations) + " arrays");
    live_bytes_ += bytes;
    if (live_bytes_ > workspace.bytes)
        return refused("more memory than the workspace has");
    return arrays_.emplace(o.array, o).second ? Result(Done{}) : refused("array made twice");
}

Validator::Result Validator::admit(const CreateTexture& o) {
    if (textures_.size() >= hello_.limits.allocations)
        return refused("more than " + std::to_string(hello_.limits.allocations) + " textures");
    if (!textures_.insert(o.texture).second)
        return refused("texture made twice");
    if (o.surface || o.resource == CreateTexture::Resource::array)
        return arrays_.contains(o.array) ? Result(Done{}) : refused("texture of an array that does not exist");
    const std::uint64_t texel = texel_bytes(o.texel);
    if (texel == 0 || o.width == 0 || o.width > std::numeric_limits<std::uint64_t>::max() / texel)
        return refused("texture of an impossible format or size");
    const bool rows = o.resource == CreateTexture::Resource::rows;
    return within(o.address, {o.pitch, {o.width * texel, rows ? o.height : 1}, false});
}

Validator::Result Validator::stream_exists(StreamId stream) const {
    return streams_.contains(stream) ? Result(Done{}) : refused("use of a stream that was not created");
}

Validator::Result Validator::event_recorded(EventId event) const {
    return events_.contains(event) ? Result(Done{}) : refused("use of an event that was not recorded");
}

Validator::Result Validator::within(const Place& place, Touched touched) const {
    if (const auto* position = std::get_if<InArray>(&place))
        return within_array(*position, touched.region);
    const std::uint64_t bytes = touched_bytes(touched.pitch, touched.region);
    if (bytes == 0)
        return refused("a region of impossible shape");
    if (const auto* symbol = std::get_if<Symbol>(&place))
        return within_variable(*symbol, bytes);
    return within_memory(std::get<Address>(place), bytes, touched.written);
}

Validator::Result Validator::within_array(const InArray& position, Region region) const {
    const auto found = arrays_.find(position.array);
    if (found == arrays_.end())
        return refused("use of an array that does not exist");
    const AllocateArray& array = found->second;
    if (region.row_bytes == 0 || region.rows == 0 ||
        !fits(position.x, region.row_bytes, array.width * texel_bytes(array.texel)) ||
        !fits(position.y, region.rows, std::max<std::uint64_t>(array.height, 1)) ||
        position.z >= std::max<std::uint64_t>(array.depth, 1))
        return refused("copy outside an array");
    return Done{};
}

Validator::Result Validator::within_memory(Address address, std::uint64_t bytes, bool written) const {
    auto next = live_.upper_bound(address);
    if (next != live_.begin()) {
        const auto& [start, size] = *std::prev(next);
        if (fits(address - start, bytes, size))
            return Done{};
    }
    for (const Buffer& buffer : hello_.call.buffers)
        if (address >= buffer.address && fits(address - buffer.address, bytes, buffer.bytes))
            return written && !buffer.writable ? refused("write to an input") : Result(Done{});
    return refused("copy or fill outside the memory that is allocated");
}

Validator::Result Validator::within_variable(const Symbol& symbol, std::uint64_t bytes) const {
    for (const auto& code : code_)
        if (const auto* variable = code.variable(symbol.name))
            return fits(symbol.offset, bytes, variable->bytes) ? Result(Done{})
                                                               : refused("copy outside a variable of the device code");
    return refused("use of a variable that the device code lacks");
}

} // namespace cudabench::recipe
