#pragma once

#include "device/description.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/message.h"
#include "recipe/operation.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The trusted side of recording: starts the confined process in which a candidate's host code runs, answers its
/// questions, and ends it whatever it does. What each layer keeps out: docs/trust-model.md.
namespace cudabench::recorder {

/// What host code may use. The time counts from the start of the process; answering is not charged.
struct Limits {
    std::chrono::milliseconds host_time{10'000};
    std::uint64_t host_memory_bytes = std::uint64_t{2} << 30; ///< resident
    std::uint64_t output_bytes = std::uint64_t{1} << 20;      ///< of stdout and stderr together
    recipe::Limits recipe{.bytes = std::uint64_t{1} << 30};
};

/// Answers what host code cannot know without the device. Called on record()'s thread, one question at a time.
/// A Failure ends the recording and becomes its failure.
class Answers {
public:
    virtual ~Answers() = default;
    /// The bytes that `question` asks for (row_bytes x rows, packed) after `so_far`, which excludes the question, has
    /// been performed. At most recipe::max_copy_bytes are asked for; nothing else has been validated.
    virtual Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe& so_far,
                                                                   const recipe::CopyToHost& question) = 0;
    /// The device address of a module-scope variable. The name is printable, at most recipe::max_name_characters long.
    virtual Expected<recipe::Address, Failure> symbol_address(const std::string& name) = 0;
    /// The handle of a texture or surface object made after `so_far` has been performed. Nothing has been validated.
    /// Who does not answer this and the following ones has no such objects: the case is unsupported there.
    virtual Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe& so_far,
                                                            const recipe::CreateTexture& question);
    /// recipe::TensorMap::bytes bytes. The rank is possible; nothing else has been validated.
    virtual Expected<std::vector<std::byte>, Failure> tensor_map(const recipe::TensorMap& question);
    /// Clusters that the device holds at once, or blocks of the largest cluster. Nothing has been validated.
    virtual Expected<std::uint64_t, Failure> cluster_occupancy(const recipe::ClusterOccupancy& question);
};

struct Setup {
    std::filesystem::path recorder; ///< the cudabench_recorder executable
    device::Description device;
    recipe::Workspace workspace;
    std::uint64_t free_bytes = 0; ///< free device memory as host code is told
    Limits limits;
    bool unsafe = false; ///< record even where the process cannot be confined
};

struct Recording {
    recipe::Recipe recipe; ///< up to the failure, if there is one. Hostile: its values have not been validated
    std::optional<Failure> failure;
    std::vector<std::string> notes; ///< printable ASCII, said by the hostile process
    std::string output;             ///< what host code printed, by harmless_text()
    double seconds = 0;             ///< whole duration
    double host_seconds = 0;        ///< of it, without the time that answers took
    bool confined = false;
};

/// Runs `call` of the shared object `module` in a confined process and returns what it recorded. Failures are of
/// stage contract if they are the host code's, of stage not_run if confinement cannot be had (and `unsafe` is not
/// set), of stage fault if the recorder cannot be started, and as Answers gave them. The process has ended and has
/// been reaped when this returns. Thread-safe; throws only std::bad_alloc.
[[nodiscard]] Recording record(const Setup& setup, const std::filesystem::path& module, const recipe::Call& call,
                               Answers& answers);

} // namespace cudabench::recorder
