#pragma once

#include "device_code/fat_binary.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/message.h"
#include "recipe/operation.h"

#include <map>
#include <set>
#include <span>
#include <vector>

namespace cudabench::recipe {

/// Checks the operations of a recipe, one after another, before they are performed. Whoever passes every operation
/// through it performs only what lies in the workspace and the given buffers, uses streams and events that exist, and
/// launches kernels of the device code with the arguments that it declares. What a kernel then does with the pointers
/// among its arguments is for the GPU to confine.
class Validator {
public:
    /// `hello` and `code` must outlive the validator. `code` is what the kernels are launched from.
    Validator(const Hello& hello, std::span<const device_code::FatBinary> code);

    /// Done, or a Failure of stage contract; nothing may be checked after one.
    [[nodiscard]] Expected<Done, Failure> check(const Operation& operation);
    /// The same of several in turn, up to the first Failure.
    [[nodiscard]] Expected<Done, Failure> check_all(std::span<const Operation> operations);

    /// For questions about a launch: a kernel that exists, a shape that is possible. Arguments are not looked at.
    [[nodiscard]] Expected<Done, Failure> check_launch(const Launch& launch) const;

private:
    using Result = Expected<Done, Failure>;
    struct Touched {
        std::uint64_t pitch;
        Region region;
        bool written;
    };

    Result admit(const Allocate& o);
    Result admit(const Release& o);
    Result admit(const CreateStream& o);
    Result admit(const Launch& o) const;
    Result admit(const Fill& o) const;
    Result admit(const CopyToDevice& o) const;
    Result admit(const CopyOnDevice& o) const;
    Result admit(const CopyToHost& o) const;
    Result admit(const RecordEvent& o);
    Result admit(const WaitEvent& o) const;
    Result admit(const Synchronize& o) const;
    Result admit(const AllocateArray& o);
    Result admit(const CreateTexture& o);

    [[nodiscard]] const device_code::Kernel* find_kernel(const std::string& name) const;
    [[nodiscard]] Result stream_exists(StreamId stream) const;
    [[nodiscard]] Result event_recorded(EventId event) const;
    [[nodiscard]] Result within(const Place& place, Touched touched) const;
    [[nodiscard]] Result within_memory(Address address, std::uint64_t bytes, bool written) const;
    [[nodiscard]] Result within_variable(const Symbol& symbol, std::uint64_t bytes) const;
    [[nodiscard]] Result within_array(const InArray& position, Region region) const;
    [[nodiscard]] Result cluster_admitted(const Launch& o) const;
    [[nodiscard]] Result shape_admitted(const Launch& o, const device_code::Kernel& kernel) const;

    const Hello& hello_;
    std::span<const device_code::FatBinary> code_;
    std::uint64_t operations_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t allocations_ = 0;
    std::uint64_t live_bytes_ = 0;          ///< rounded up to granularity
    Address next_address_ = 0;              ///< no allocation may start below
    std::map<Address, std::uint64_t> live_; ///< bytes of each allocation
    std::map<ArrayId, AllocateArray> arrays_;
    std::set<TextureId> textures_;
    std::set<StreamId> streams_;
    std::set<EventId> events_;
};

/// Bytes from the first to the last that `region` touches with rows `pitch` apart; 0 if that is no region: nothing in
/// it, rows that overlap, or an overflow.
[[nodiscard]] std::uint64_t touched_bytes(std::uint64_t pitch, Region region);

} // namespace cudabench::recipe
