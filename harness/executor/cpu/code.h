#pragma once

#include "executor/cpu/cost.h"
#include "executor/cpu/fragment.h"
#include "executor/cpu/step.h"
#include "ptx/module.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace cudabench::cpu {

/// Bytes whose start is aligned for vector loads of the host.
class AlignedBytes {
public:
    static constexpr std::size_t alignment = 64;

    AlignedBytes() = default;
    /// Zeros.
    explicit AlignedBytes(std::size_t bytes);

    [[nodiscard]] std::byte* data() const { return bytes_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Keeps what there is; the rest are zeros.
    void grow(std::size_t bytes);

private:
    struct Free {
        void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{alignment}); }
    };
    std::unique_ptr<std::byte[], Free> bytes_;
    std::size_t size_ = 0;
};

/// A parameter or result of a function in a frame: `bytes` a lane, `stride` from lane to lane.
struct Passed {
    Place place;
    std::uint32_t bytes = 0;
    std::uint32_t stride = 0;
};

/// A function as it is called.
struct Callable {
    std::string name;
    std::uint64_t address_index = 0; ///< its address is function_window + 16 x this
    std::uint32_t first_step = 0;
    std::uint32_t frame_bytes = 0;
    std::uint32_t local_bytes = 0; ///< a thread
    std::vector<Passed> parameters;
    std::vector<Passed> returns;
};

/// What the machine itself offers to be called.
enum class Built : std::uint8_t { none, print, assertion };

/// A call instruction: what is passed from where in the caller's frame.
struct CallSite {
    Built built = Built::none;
    bool indirect = false;
    std::uint32_t callee = 0; ///< index of Callable, unless indirect
    Place function;           ///< an address by lane, if indirect
    std::vector<Passed> arguments;
    std::vector<Passed> results;
};

/// A barrier instruction of a block.
struct BarrierSite {
    enum class Reduction : std::uint8_t { none, count, all, any };
    Place barrier;
    bool counted = false; ///< waits for `threads` threads instead of the whole block
    Place threads;
    bool waits = true; ///< false: bar.arrive
    Reduction reduction = Reduction::none;
    bool negated = false;
    Place predicate;
    Place destination; ///< of 32 bits by lane (count), or a predicate
};

/// A product of matrices: d = a b + c.
struct MatrixSite {
    Fragment a, b, c, d;
    bool saturate = false;
    bool differences = false; ///< of bits: a xor b is counted, not a and b
};

/// Loads or stores a matrix.
struct MatrixAccess {
    Fragment fragment;
    bool by_rows = true;
};

/// An address as an operand gives it, beside the one that a step holds itself.
struct AddressOperand {
    Place base;
    std::int64_t offset = 0;
    bool narrow = false; ///< of 32 bits
};

/// A bulk copy.
struct CopySite {
    AddressOperand source;
    AddressOperand barrier;   ///< in shared memory
    bool completes = false;   ///< bytes of the barrier
    bool from_shared = false; ///< or from global memory
};

/// An access of a texture or surface: by lane, registers of 32 bits where nothing else is said.
struct ImageAccess {
    Place object;                   ///< a handle of 64 bits
    std::vector<Place> coordinates; ///< x first
    bool layered = false;
    Place layer;
    std::vector<Place> values; ///< of a surface: as wide as lanes hold `value_bytes`
    std::uint32_t value_bytes = 0;

    /// Where a surface ends.
    enum class Beyond : std::uint8_t { fault, nearest, zero };
    Beyond beyond = Beyond::fault;
};

/// A kernel with everything that it can call, ready to run. Shared by all blocks of all launches.
struct Code {
    std::vector<Step> steps;
    std::vector<std::uint32_t> lines;        ///< of the PTX, by step
    std::vector<std::uint32_t> source_lines; ///< of the source, by step; 0 unknown
    std::vector<Cost> costs;                 ///< by step
    std::map<std::uint32_t, std::uint32_t>
        used_bytes;                  ///< of loads whose other bytes do not matter, a bit each; by step
    std::vector<Callable> functions; ///< the kernel first
    std::vector<CallSite> calls;
    std::vector<BarrierSite> barriers;
    std::vector<MatrixSite> matrices;
    std::vector<MatrixAccess> matrix_accesses;
    std::vector<CopySite> copies;
    std::vector<ImageAccess> image_accesses;
    std::vector<std::vector<Place>> places;         ///< of vectors
    std::vector<std::vector<std::uint32_t>> tables; ///< of indexed branches
    AlignedBytes constants;
    Place sink;                     ///< in every frame: 32 lanes that nobody reads
    std::uint32_t shared_bytes = 0; ///< static, and where dynamic shared memory begins
    std::uint32_t parameter_bytes = 0;
    std::vector<std::uint32_t> parameter_offsets; ///< of each argument
    std::uint32_t stack_bytes = 0;                ///< of local memory, a thread
    std::uint32_t max_threads = 0;
    std::uint32_t cluster_blocks = 1; ///< that the kernel asks for
};

} // namespace cudabench::cpu
