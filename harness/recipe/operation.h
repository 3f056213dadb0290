#pragma once

#include <array>
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
using ArrayId = std::uint32_t;
using TextureId = std::uint32_t;

/// Of a kernel or variable: graphic ASCII characters, as the names that compilers give are.
inline constexpr std::size_t max_name_characters = 4096;
inline constexpr std::size_t max_arguments = 4096; ///< of one launch, each of at least one byte
inline constexpr std::size_t max_argument_bytes =
    32'764; ///< of one launch: CUDA C++ Programming Guide, kernel parameters of compute capability 7.0 and higher

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

/// A position in an array, whose layout only the device knows.
struct InArray {
    ArrayId array = 0;
    std::uint64_t x = 0; ///< bytes
    std::uint64_t y = 0; ///< rows
    std::uint64_t z = 0; ///< slices
    bool operator==(const InArray&) const = default;
};

using Place = std::variant<Address, Symbol, InArray>;

/// `rows` runs of `row_bytes`, successive runs `pitch` bytes apart at each end, or successive rows of one slice of an
/// array. A plain copy has one row.
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

/// How the elements of arrays and textures are stored.
struct Texel {
    std::uint32_t format = 0;   ///< a CUarray_format
    std::uint32_t channels = 1; ///< 1, 2 or 4
    bool operator==(const Texel&) const = default;
};

/// Bytes of one element, or 0 for a format or a number of channels that does not exist.
[[nodiscard]] std::uint64_t texel_bytes(Texel texel);

/// Memory of textures and surfaces. It stays until the recipe ends, with what was written to it.
struct AllocateArray {
    ArrayId array = 0;
    std::uint64_t width = 0;  ///< elements
    std::uint64_t height = 0; ///< 0: one-dimensional
    std::uint64_t depth = 0;  ///< 0: two-dimensional; of a layered array, the layers
    Texel texel;
    std::uint32_t flags = 0; ///< CUDA_ARRAY3D_...
    bool operator==(const AllocateArray&) const = default;
};

/// A question: makes a texture or surface object and answers its handle, which kernels get among their arguments. As an
/// operation of a recipe it makes the same again.
struct CreateTexture {
    enum class Resource : std::uint8_t { array, linear, rows };

    TextureId texture = 0;
    bool surface = false; ///< of an array; then what follows `array` means nothing
    Resource resource = Resource::array;
    ArrayId array = 0;
    Address address = 0;                          ///< linear, rows
    std::uint64_t width = 0;                      ///< linear, rows: elements
    std::uint64_t height = 1;                     ///< rows
    std::uint64_t pitch = 0;                      ///< rows: bytes from one to the next
    Texel texel;                                  ///< linear, rows
    std::array<std::uint32_t, 3> address_modes{}; ///< CUaddress_mode
    std::uint32_t filter_mode = 0;                ///< CUfilter_mode
    std::uint32_t flags = 0;                      ///< CU_TRSF_...
    std::uint32_t max_anisotropy = 0;
    std::array<std::uint32_t, 4> border{}; ///< bits of float
    std::uint64_t handle = 0;              ///< as it was answered; 0 in a question
    bool operator==(const CreateTexture&) const = default;
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
    Extent cluster{0, 0, 0};                       ///< blocks; all 0: as the kernel declares, if it does
    bool programmatic = false; ///< may begin before the launch before it has ended (programmatic stream serialisation)
    bool operator==(const Launch&) const = default;
};

/// Whether a kernel can have these arguments: no more than there can be, none of them empty.
[[nodiscard]] bool arguments_possible(const std::vector<std::vector<std::byte>>& arguments);

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
                               RecordEvent, WaitEvent, Synchronize, AllocateArray, CreateTexture>;

struct Recipe {
    std::vector<Operation> operations;

    /// Whether the host code looked at results: then the recipe holds for the inputs that it was recorded with only.
    [[nodiscard]] bool host_dependent() const;
    bool operator==(const Recipe&) const = default;
};

} // namespace cudabench::recipe
