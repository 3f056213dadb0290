#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What the generator makes of a task file: every expression is already a number for each shape.
namespace cudabench {

enum class Dtype : std::uint8_t { float32, float64, int32, uint32, int64, uint8 };

[[nodiscard]] std::uint64_t size_in_bytes(Dtype dtype);

/// How an input's values are drawn; see inputs/draw.h for the exact definition.
struct Distribution {
    enum class Kind : std::uint8_t {
        uniform,   ///< between a and b
        normal,    ///< mean a, standard deviation b (Irwin-Hall of eight 16-bit uniforms)
        integer,   ///< whole numbers a to b inclusive
        ascending, ///< whole numbers that never fall, the first a and the last b, at uneven distances
    };
    Kind kind = Kind::uniform;
    double a = 0;
    double b = 1;
    bool drift = false;            ///< scale and offset drawn from the seed and drifting along the index
    double needle_probability = 0; ///< share of the values that are multiplied by needle_factor
    double needle_factor = 1;

    bool operator==(const Distribution&) const = default;
};

struct Input {
    std::string name;
    Dtype dtype = Dtype::float32;

    bool operator==(const Input&) const = default;
};

/// allowed = factor * u * (sqrt(min(K, 4096)) + log2 K) * A + ulps * u * |y|, u = 2^-24 for float32 (2^-53 for
/// float64), K the terms of the shape and A the reference's magnitude of the element. Root mean square of |error| / (u
/// * (sqrt(min(K, 4096)) + log2 K) * A) at most rms_factor.
struct Check {
    bool exact = false;             ///< bit for bit (but NaN as NaN); nothing else is used then
    bool exact_on_integers = false; ///< zero tolerance for the second seed
    double factor = 0;
    double rms_factor = 0;
    double ulps = 1;

    bool operator==(const Check&) const = default;
};

struct Output {
    std::string name;
    Dtype dtype = Dtype::float32;
    Check check;

    bool operator==(const Output&) const = default;
};

/// Operations by pipe and DRAM bytes.
struct Work {
    double fp32 = 0;
    double fp64 = 0;
    double tensor = 0;
    double sfu = 0;
    double int32 = 0;
    double read_bytes = 0;
    double write_bytes = 0;

    bool operator==(const Work&) const = default;
};

/// A scale, or an edge shape.
struct Shape {
    std::string name;                          ///< "tiny" ... "huge", or e.g. "edge_1x1"
    std::vector<std::int64_t> dims;            ///< in the order of Task::dims
    std::vector<std::uint64_t> input_elements; ///< in the order of Task::inputs
    std::vector<Distribution> input_values;    ///< of the first seed
    std::vector<Distribution>
        input_integers; ///< of the second: small whole numbers where that makes results exact; else as the first
    std::vector<std::uint64_t> output_elements;
    std::vector<double> output_terms; ///< K of Check, in the order of Task::outputs
    Work floor;                       ///< provably necessary; feeds the plausibility check only
    Work model;                       ///< of the stated algorithm; feeds the speed-of-light score

    bool operator==(const Shape&) const = default;
};

struct Task {
    std::string name;
    std::string domain;
    std::string hash;              ///< of task file, reference and oracle: results of another are stale
    std::vector<std::string> dims; ///< names, in the order of the main prototype
    std::vector<double> params;    ///< constants that a prototype passes as scalars, in declared order
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<Shape> scales; ///< five, strictly growing
    std::vector<Shape> edges;
    bool tensor_admitted = false; ///< whether the bound admits tensor-core arithmetic at reduced precision

    bool operator==(const Task&) const = default;
};

} // namespace cudabench
