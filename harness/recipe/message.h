#pragma once

#include "device/description.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What executor and recorder say to each other over one Unix stream socket. Every frame is {u32 kind, u32 length}
/// and `length` bytes of payload, little-endian.
///
///   executor -> recorder   hello, once and first; answer, one to each question
///   recorder -> executor   operation (one-way, buffered, in order), note, question (the operations before it come
///                          first), and as the last frame either unsupported or done
///
/// What the recorder sends is hostile: every decode_ function accepts any bytes and fails with stage contract.
namespace cudabench::recipe {

enum class FrameKind : std::uint32_t { hello = 1, operation, question, answer, unsupported, note, done };

struct Frame {
    FrameKind kind = FrameKind::done;
    std::vector<std::byte> payload;
};

inline constexpr std::size_t frame_header_bytes = 8;
/// The recording runtime splits larger copies into several operations.
inline constexpr std::uint64_t max_copy_bytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t max_frame_bytes = max_copy_bytes + (std::uint64_t{1} << 20);

/// Memory of the executor that the candidate is called with.
struct Buffer {
    Address address = 0;
    std::uint64_t bytes = 0;
    bool writable = false; ///< false: an input
    bool operator==(const Buffer&) const = default;
};

/// Where the recording runtime places the candidate's allocations: addresses only, memory is the executor's business.
struct Workspace {
    Address base = 0;
    std::uint64_t bytes =
        0;                  ///< of live allocations, each rounded up to granularity; also what a candidate may allocate
    std::uint64_t span = 0; ///< of addresses from base; larger than `bytes`, as addresses are never used twice
    std::uint64_t granularity =
        0; ///< power of two; each allocation starts at a multiple and is followed by a gap of one
    bool operator==(const Workspace&) const = default;
};

struct Limits {
    std::uint64_t operations = 100'000;
    std::uint64_t bytes = std::uint64_t{4} << 30; ///< of the encoded operations
    std::uint64_t allocations = 4096;
    std::uint64_t streams = 1024;
    std::uint64_t events = 65'536;
    bool operator==(const Limits&) const = default;
};

/// The call that the recorder makes: `function` of C signature
/// void(void* const* buffers, const long long* dims, const double* params).
struct Call {
    std::string function = "cudabench_call";
    std::vector<Buffer> buffers; ///< inputs, then outputs, in declared order
    std::vector<std::int64_t> dims;
    std::vector<double> params;
    bool operator==(const Call&) const = default;
};

struct Hello {
    device::Description device;
    Workspace workspace;
    std::uint64_t free_memory = 0; ///< bytes, what cudaMemGetInfo answers first
    Limits limits;
    Call call;
};

/// Asks for the address that a module-scope variable has in the executor.
struct SymbolAddress {
    std::string name;
    bool operator==(const SymbolAddress&) const = default;
};

/// Asks for the 128 bytes of a tensor map: cuTensorMapEncodeTiled with these arguments. What lies beyond `rank` means
/// nothing.
struct TensorMap {
    static constexpr std::uint32_t most_dimensions = 5;
    static constexpr std::size_t bytes = 128;

    std::uint32_t data_type = 0;
    std::uint32_t rank = 0;
    Address address = 0;
    std::array<std::uint64_t, most_dimensions> sizes{};   ///< elements
    std::array<std::uint64_t, most_dimensions> strides{}; ///< bytes, of the second dimension first
    std::array<std::uint32_t, most_dimensions> box{};
    std::array<std::uint32_t, most_dimensions> element_strides{};
    std::uint32_t interleave = 0;
    std::uint32_t swizzle = 0;
    std::uint32_t l2_promotion = 0;
    std::uint32_t fill = 0;
    bool operator==(const TensorMap&) const = default;
};

/// Asks how many clusters of a launch the device holds at once, or for the largest cluster that it can hold.
struct ClusterOccupancy {
    Launch launch; ///< without arguments
    bool largest = false;
    bool operator==(const ClusterOccupancy&) const = default;
};

using Question = std::variant<CopyToHost, SymbolAddress, CreateTexture, TensorMap, ClusterOccupancy>;

/// To CopyToHost: row_bytes x rows bytes, packed. To TensorMap: its bytes. To the others: eight bytes, little-endian.
struct Answer {
    std::int32_t error = 0; ///< a cudaError_t; not 0: `bytes` is empty
    std::vector<std::byte> bytes;
    bool operator==(const Answer&) const = default;
};

[[nodiscard]] std::vector<std::byte> encode(const Hello& hello);
[[nodiscard]] std::vector<std::byte> encode(const Question& question);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);
/// The payload of `unsupported` (the API's name) and `note` (a sentence): its characters, nothing else.
[[nodiscard]] std::vector<std::byte> encode_text(const std::string& text);

[[nodiscard]] Expected<Hello, Failure> decode_hello(std::span<const std::byte> payload);
[[nodiscard]] Expected<Question, Failure> decode_question(std::span<const std::byte> payload);
[[nodiscard]] Expected<Answer, Failure> decode_answer(std::span<const std::byte> payload);
/// Printable ASCII, at most 1,000 characters: others become '?', the rest is cut.
[[nodiscard]] std::string decode_text(std::span<const std::byte> payload);

/// Header and payload. Throws std::length_error above max_frame_bytes.
[[nodiscard]] std::vector<std::byte> encode_frame(FrameKind kind, std::span<const std::byte> payload);

/// Cuts a stream of bytes, as they arrive, into frames. Holds at most one frame and what followed it in one append.
class FrameBuffer {
public:
    void append(std::span<const std::byte> bytes);
    /// The next whole frame, nothing if it has not arrived yet, or a Failure of stage contract: the stream is broken.
    [[nodiscard]] Expected<std::optional<Frame>, Failure> next();
    /// Bytes that belong to no whole frame yet: at the end of the stream, a frame was cut off if this is not 0.
    [[nodiscard]] std::size_t pending_bytes() const { return bytes_.size() - start_; }

private:
    std::vector<std::byte> bytes_;
    std::size_t start_ = 0;
};

/// Blocking, for the recorder's side and tests. Failure of stage fault if the other side is gone.
[[nodiscard]] Expected<Done, Failure> write_all(int socket, std::span<const std::byte> bytes);
[[nodiscard]] Expected<Frame, Failure> read_frame(int socket);

} // namespace cudabench::recipe
