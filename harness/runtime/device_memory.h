#pragma once

#include "recipe/message.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::runtime {

/// The addresses of the device, as far as host code may know them: its allocations in the workspace, the buffers that
/// it is called with, variables whose address it asked for.
class DeviceMemory {
public:
    struct Piece {
        recipe::Place place;           ///< of the address that was looked for
        recipe::Address start = 0;     ///< address where the piece begins
        std::uint64_t bytes_after = 0; ///< from the address to the end of the piece
        bool writable = true;
    };

    void open(const recipe::Hello& hello);

    /// Places an allocation on pages of its own with a gap behind, never at addresses used before. Nothing if the
    /// workspace or the number of allocations is exhausted, or for 0 bytes.
    [[nodiscard]] std::optional<recipe::Address> allocate(std::uint64_t bytes);
    /// False if no allocation starts at `address`.
    [[nodiscard]] bool release(recipe::Address address);
    void add_variable(recipe::Address address, const std::string& name, std::uint64_t bytes);

    /// What `address` points into, if it is live.
    [[nodiscard]] std::optional<Piece> find(recipe::Address address) const;
    /// Whether an address is the device's, live or not.
    [[nodiscard]] bool contains(recipe::Address address) const;
    [[nodiscard]] std::uint64_t live_bytes() const { return live_bytes_; } ///< whole pages

private:
    struct Variable {
        std::string name;
        std::uint64_t bytes;
    };

    [[nodiscard]] std::uint64_t rounded(std::uint64_t bytes) const;

    recipe::Workspace workspace_;
    std::uint64_t most_allocations_ = 0;
    std::vector<recipe::Buffer> buffers_;
    std::uint64_t allocations_ = 0;
    std::uint64_t live_bytes_ = 0;
    recipe::Address next_ = 0;
    std::map<recipe::Address, std::uint64_t> live_; ///< bytes of each allocation
    std::map<recipe::Address, Variable> variables_;
};

} // namespace cudabench::runtime
