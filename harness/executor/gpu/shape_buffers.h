#pragma once

#include "driver/memory.h"
#include "executor/gpu/address_range.h"
#include "executor/gpu/device.h"
#include "executor/gpu/poison.h"
#include "recipe/operation.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cudabench::gpu {

/// Where a buffer lies in its pages. Nothing is mapped before and after them, so that an access beyond the buffer
/// faults: at once behind its end (but for the rounding to 16 bytes) or before its start.
enum class Placement : std::uint8_t { at_end, at_start };

/// A buffer that a candidate is called with.
struct Buffer {
    recipe::Address address = 0;
    std::uint64_t bytes = 0;
};

/// The inputs and outputs of one shape, in device memory at the addresses that the candidate gets. Outputs can be read
/// and written; inputs can be written by the harness only, while a WritableInputs lives. One at a time: the next one
/// takes the same addresses.
class ShapeBuffers {
public:
    /// Sizes in bytes. Throws driver::DriverError (CUDA_ERROR_OUT_OF_MEMORY) and std::length_error (more than
    /// AddressRange::buffers_span).
    ShapeBuffers(const Device& device, const AddressRange& range, std::span<const std::uint64_t> inputs,
                 std::span<const std::uint64_t> outputs, Placement placement);

    [[nodiscard]] std::span<const Buffer> inputs() const noexcept { return inputs_; }
    [[nodiscard]] std::span<const Buffer> outputs() const noexcept { return outputs_; }

    /// Moves every buffer to the other end of its pages; contents are lost.
    void place(Placement placement);
    /// Makes them those of another shape if its buffers need as many pages each; contents are arbitrary. Saves the
    /// driver to unmap and map, for which it waits while it makes contexts of others. False if nothing was changed.
    [[nodiscard]] bool take(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> outputs,
                            Placement placement);

    /// Where buffers of these sizes lie, inputs first; they need not be there yet.
    [[nodiscard]] static std::vector<recipe::Address> addresses(const Device& device, const AddressRange& range,
                                                                std::span<const std::uint64_t> inputs,
                                                                std::span<const std::uint64_t> outputs,
                                                                Placement placement);

    /// Lets the harness write inputs for good.
    void keep_inputs_writable();

    /// Poisons the outputs and the rest of their pages.
    void poison_outputs(const Poison& poison, PoisonPattern pattern, std::uint64_t seed);
    /// Whether the rest of the pages is still as the last poison_outputs() left it. Waits for the device.
    [[nodiscard]] bool slack_is_intact(const Poison& poison) const;

private:
    friend class WritableInputs;

    /// Waits for the device, since work in flight would see the change.
    void set_access_to_inputs(driver::Mapping::Access access);

    const Device& device_;
    std::vector<driver::Mapping> input_pages_;
    std::vector<driver::Mapping> output_pages_;
    std::vector<Buffer> inputs_;
    std::vector<Buffer> outputs_;
    PoisonPattern pattern_ = PoisonPattern::not_a_number;
    std::uint64_t seed_ = 0;
    bool inputs_stay_writable_ = false;
};

/// Lets the harness write inputs while this lives. Waits for the device at both ends, since work in flight would see
/// the change, unless inputs stay writable anyway.
class WritableInputs {
public:
    explicit WritableInputs(ShapeBuffers& buffers);
    ~WritableInputs() noexcept(false);
    WritableInputs(const WritableInputs&) = delete;
    WritableInputs& operator=(const WritableInputs&) = delete;

private:
    ShapeBuffers& buffers_;
};

} // namespace cudabench::gpu
