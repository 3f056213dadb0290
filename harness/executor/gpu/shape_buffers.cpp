#include "executor/gpu/shape_buffers.h"

#include "driver/lost.h"

#include <algorithm>
#include <stdexcept>

namespace cudabench::gpu {
namespace {

constexpr std::uint64_t alignment = 16; ///< what vector loads, asynchronous copies and tensor maps need
/// Unmapped between two buffers: stray indices that are wrong by whole rows should still find nothing.
constexpr std::uint64_t guard_bytes = std::uint64_t{64} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::uint64_t bytes_of_pages(const Device& device, std::uint64_t size) {
    return round_up(std::max(size, std::uint64_t{1}), device.page_bytes());
}

recipe::Address first_page(const Device& device, const AddressRange& range) {
    return round_up(range.buffers() + guard_bytes, device.page_bytes());
}

recipe::Address page_after(const Device& device, recipe::Address page, std::uint64_t size) {
    return page + round_up(bytes_of_pages(device, size) + guard_bytes, device.page_bytes());
}

/// Maps pages for buffers of these sizes, one after another from `next`, which moves on.
std::vector<driver::Mapping> map_pages(const Device& device, const AddressRange& range,
                                       std::span<const std::uint64_t> sizes, driver::Mapping::Access access,
                                       recipe::Address& next) {
    std::vector<driver::Mapping> pages;
    pages.reserve(sizes.size());
    for (const std::uint64_t size : sizes) {
        const std::uint64_t bytes = bytes_of_pages(device, size);
        if (next + bytes + guard_bytes > range.buffers() + AddressRange::buffers_span)
            throw std::length_error("the buffers of a shape need more than 64 GiB");
        pages.emplace_back(device.driver(), device.handle(), next, bytes, access);
        next = page_after(device, next, size);
    }
    return pages;
}

std::vector<Buffer> sized(std::span<const std::uint64_t> sizes) {
    std::vector<Buffer> buffers;
    for (const std::uint64_t size : sizes)
        buffers.push_back({.address = 0, .bytes = size});
    return buffers;
}

recipe::Address address_in(recipe::Address page, std::uint64_t bytes_of_pages, std::uint64_t size,
                           Placement placement) {
    return placement == Placement::at_start ? page : page + bytes_of_pages - round_up(size, alignment);
}

void place_in(const std::vector<driver::Mapping>& pages, std::vector<Buffer>& buffers, Placement placement) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
        buffers[i].address = address_in(pages[i].address(), pages[i].bytes(), buffers[i].bytes, placement);
}

} // namespace

ShapeBuffers::ShapeBuffers(const Device& device, const AddressRange& range, std::span<const std::uint64_t> inputs,
                           std::span<const std::uint64_t> outputs, Placement placement)
    : device_(device), inputs_(sized(inputs)), outputs_(sized(outputs)) {
    recipe::Address next = first_page(device, range);
    input_pages_ = map_pages(device, range, inputs, driver::Mapping::Access::read, next);
    output_pages_ = map_pages(device, range, outputs, driver::Mapping::Access::read_write, next);
    place(placement);
}

void ShapeBuffers::place(Placement placement) {
    place_in(input_pages_, inputs_, placement);
    place_in(output_pages_, outputs_, placement);
}

std::vector<recipe::Address> ShapeBuffers::addresses(const Device& device, const AddressRange& range,
                                                     std::span<const std::uint64_t> inputs,
                                                     std::span<const std::uint64_t> outputs, Placement placement) {
    std::vector<recipe::Address> all;
    recipe::Address next = first_page(device, range);
    for (const auto sizes : {inputs, outputs})
        for (const std::uint64_t size : sizes) {
            all.push_back(address_in(next, bytes_of_pages(device, size), size, placement));
            next = page_after(device, next, size);
        }
    return all;
}

bool ShapeBuffers::take(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> outputs,
                        Placement placement) {
    const auto fit = [this](std::span<const std::uint64_t> sizes, const std::vector<driver::Mapping>& pages) {
        return std::ranges::equal(
            sizes, pages, {}, [this](std::uint64_t size) { return bytes_of_pages(device_, size); },
            &driver::Mapping::bytes);
    };
    if (!fit(inputs, input_pages_) || !fit(outputs, output_pages_))
        return false;
    inputs_ = sized(inputs);
    outputs_ = sized(outputs);
    place(placement);
    return true;
}

void ShapeBuffers::poison_outputs(const Poison& poison, PoisonPattern pattern, std::uint64_t seed) {
    pattern_ = pattern;
    seed_ = seed;
    for (const driver::Mapping& pages : output_pages_)
        poison.fill(pages.address(), pages.bytes(), pattern, seed, device_.stream());
}

bool ShapeBuffers::slack_is_intact(const Poison& poison) const {
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const Buffer& buffer = outputs_[i];
        const driver::Mapping& pages = output_pages_[i];
        changed += poison.count_changed(pages.address(), pages.bytes(), buffer.address - pages.address(), buffer.bytes,
                                        pattern_, seed_, device_.stream());
    }
    return changed == 0;
}

void ShapeBuffers::set_access_to_inputs(driver::Mapping::Access access) {
    device_.synchronize();
    for (driver::Mapping& pages : input_pages_)
        pages.set_access(access);
}

void ShapeBuffers::keep_inputs_writable() {
    set_access_to_inputs(driver::Mapping::Access::read_write);
    inputs_stay_writable_ = true;
}

WritableInputs::WritableInputs(ShapeBuffers& buffers) : buffers_(buffers) {
    if (!buffers_.inputs_stay_writable_)
        buffers_.set_access_to_inputs(driver::Mapping::Access::read_write);
}

WritableInputs::~WritableInputs() noexcept(false) {
    if (!buffers_.inputs_stay_writable_ && !driver::lost())
        buffers_.set_access_to_inputs(driver::Mapping::Access::read);
}

} // namespace cudabench::gpu
