#pragma once

#include "recipe/message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace cudabench::runtime {

/// Memory that host code and kernels use at one address: managed, or page-locked and given to kernels. On the device it
/// is ordinary memory; here its pages are protected by what is known of them, so that what host code changes is sent
/// before the next work of the device, and what a kernel may have changed is asked for only if host code looks at it.
///
///     clean   as on the device; readable. A write makes it dirty.
///     dirty   changed here; readable and writable. push() sends it.
///     device  perhaps changed there; inaccessible. An access fetches it.
class SharedMemory {
public:
    enum class Kind : std::uint8_t { managed, pinned };

    /// A part of a block that the device keeps at a place of its own.
    struct Part {
        std::uint64_t offset = 0; ///< bytes, in the block
        std::uint64_t bytes = 0;
        recipe::Place place;
    };

    /// What the runtime does for it: sends bytes (packed) to a place; asks for them.
    struct Device {
        std::function<void(const recipe::Place& place, const std::byte* bytes, std::uint64_t count)> send;
        std::function<void(const recipe::Place& place, std::byte* bytes, std::uint64_t count)> fetch;
        std::function<void()> sent; ///< after a push that sent something
    };

    void open(Device device) { device_ = std::move(device); }

    /// Maps zeros at `address`, for `bytes` rounded up to pages. False if something lies there. Pinned memory is of no
    /// concern to the device until it is given to a kernel.
    [[nodiscard]] bool add(recipe::Address address, std::uint64_t bytes, Kind kind, std::vector<Part> parts);
    /// Unmaps the block that starts at `address`; false if there is none of the kind.
    bool remove(recipe::Address address, Kind kind);

    /// The kind of memory at `address`, or null.
    [[nodiscard]] const Kind* kind_at(recipe::Address address) const;
    /// From now on kernels may use the block at `address`, if there is one.
    void give_to_kernels(recipe::Address address);

    /// Sends what host code changed.
    void push();
    /// A kernel was launched: it may change everything that it can reach.
    void launched();
    /// The device wrote these bytes.
    void written(recipe::Address address, std::uint64_t bytes);

    /// Deals with an access that the protection refused; false if it is none of ours.
    bool fault(recipe::Address address);

private:
    enum class State : std::uint8_t { clean, dirty, device };
    struct Block {
        std::byte* memory = nullptr;
        std::uint64_t bytes = 0; ///< whole pages
        Kind kind = Kind::managed;
        bool for_kernels = true;
        bool dirty = false; ///< some chunk is
        bool all_device = false;
        std::vector<Part> parts;
        std::vector<State> chunks;
    };

    [[nodiscard]] Block* find(recipe::Address address);
    void set(Block& block, std::size_t first, std::size_t end, State state);
    void push(Block& block);
    void fetch(Block& block, std::size_t chunk);
    template <typename Use> void for_each_part(Block& block, std::size_t first, std::size_t end, Use&& use);

    Device device_;
    std::map<recipe::Address, Block> blocks_;
};

} // namespace cudabench::runtime
