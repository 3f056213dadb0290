#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// The recipe: the device operations that a candidate's host code asks for, in the order of its calls.
/// It comes from a hostile process: whoever performs it validates every field first (recipe/validate.h).
namespace cudabench::recipe {

using Address = std::uint64_t;  ///< device address
using StreamId = std::uint32_t; ///< 0 is the legacy default stream
using EventId = std::uint32_t;

struct Extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    bool operator==(const Extent&) const = default;
};

/// A position in a module-scope variable, by the name that the device code gives it.
struct Symbol {
    std::string name;
    std::uint64_t offset = 0; ///< bytes
    bool operator==(const Symbol&) const = default;
};

using Place = std::variant<Address, Symbol>;

/// `rows` runs of `row_bytes`, successive runs `pitch` bytes apart at each end. A plain copy has one row.
struct Region {
    std::uint64_t row_bytes = 0;
    std::uint64_t rows = 1;
    bool operator==(const Region&) const = default;
};

/// Device memory that stays mapped until the recipe ends. Addresses lie in the workspace and are never used twice.
struct Allocate {
    Address address = 0;
    std::uint64_t bytes = 0;
    bool operator==(const Allocate&) const = default;
};

struct Release {
    Address address = 0;
    bool operator==(const Release&) const = default;
};

struct CreateStream {
    StreamId stream = 0;
    bool blocking = true; ///< whether it synchronises with the legacy default stream
    bool operator==(const CreateStream&) const = default;
};

struct Launch {
    StreamId stream = 0;
    std::string kernel; ///< mangled name
    Extent grid;
    Extent block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::vector<std::vector<std::byte>> arguments; ///< one blob a parameter, sized as the device code declares it
    bool operator==(const Launch&) const = default;
};

struct Fill {
    StreamId stream = 0;
    Place destination;
    std::uint64_t pitch = 0; ///< bytes
    Region region;
    std::uint8_t value = 0;
    bool operator==(const Fill&) const = default;
};

struct CopyToDevice {
    StreamId stream = 0;
    Place destination;
    std::uint64_t pitch = 0; ///< of the destination, bytes
    Region region;
    std::vector<std::byte> data; ///< row_bytes x rows, packed
    bool operator==(const CopyToDevice&) const = default;
};

struct CopyOnDevice {
    StreamId stream = 0;
    Place destination;
    Place source;
    std::uint64_t destination_pitch = 0; ///< bytes
    std::uint64_t source_pitch = 0;      ///< bytes
    Region region;
    bool operator==(const CopyOnDevice&) const = default;
};

/// A question: the recipe so far is performed and the bytes go to the recorder. Makes a recipe host-dependent.
struct CopyToHost {
    StreamId stream = 0;
    Place source;
    std::uint64_t pitch = 0; ///< of the source, bytes
    Region region;
    bool operator==(const CopyToHost&) const = default;
};

struct RecordEvent {
    StreamId stream = 0;
    EventId event = 0;
    bool operator==(const RecordEvent&) const = default;
};

struct WaitEvent {
    StreamId stream = 0;
    EventId event = 0;
    bool operator==(const WaitEvent&) const = default;
};

/// The host waited: everything after comes after all work of the device, of one stream, or before one event.
struct Synchronize {
    enum class Scope : std::uint8_t { device, stream, event };
    Scope scope = Scope::device;
    std::uint32_t id = 0; ///< the stream or event
    bool operator==(const Synchronize&) const = default;
};

using Operation = std::variant<Allocate, Release, CreateStream, Launch, Fill, CopyToDevice, CopyOnDevice, CopyToHost,
                               RecordEvent, WaitEvent, Synchronize>;

struct Recipe {
    std::vector<Operation> operations;

    /// Whether the host code looked at results: then the recipe holds for the inputs that it was recorded with only.
    [[nodiscard]] bool host_dependent() const;
    bool operator==(const Recipe&) const = default;
};

} // namespace cudabench::recipe
