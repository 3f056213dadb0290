#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"
#include "executor/cpu/image_access.h"
#include "executor/cpu/texel.h"

#include <cuda.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

/// tex: PTX section "Texture Instructions"; which elements are taken and how they are weighed is in the CUDA C++
/// Programming Guide, "Texture Fetching".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

constexpr std::size_t most_dimensions = 3;

/// The element below a position, and the share of the one above it.
struct Between {
    std::int64_t index = 0;
    double share = 0;
};

using Position = std::array<Between, most_dimensions>;
using Index = std::array<std::uint64_t, most_dimensions>;

/// A coordinate in elements. Linear filters have shares of 8 bits.
Between between(double coordinate, bool linear) {
    if (!linear)
        return {static_cast<std::int64_t>(std::floor(coordinate)), 0};
    constexpr double steps = 256;
    const double fixed = std::floor((coordinate - 0.5) * steps + 0.5);
    const double index = std::floor(fixed / steps);
    return {static_cast<std::int64_t>(index), fixed / steps - index};
}

/// In elements. What is no number is 0; what lies far outside stays there.
double in_elements(float coordinate, bool normalized, std::uint64_t size) {
    constexpr double far = 1e15;
    const double scaled = double{coordinate} * (normalized ? static_cast<double>(size) : 1.0);
    return std::isnan(scaled) ? 0 : std::clamp(scaled, -far, far);
}

/// The element that stands for an index; nothing: the border.
std::optional<std::uint64_t> element_of(std::int64_t index, std::uint64_t size, std::uint32_t mode) {
    const auto n = static_cast<std::int64_t>(size);
    const auto wrapped = [&](std::int64_t period) { return ((index % period) + period) % period; };
    switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP: return static_cast<std::uint64_t>(wrapped(n));
    case CU_TR_ADDRESS_MODE_MIRROR: {
        const std::int64_t there = wrapped(2 * n);
        return static_cast<std::uint64_t>(there < n ? there : 2 * n - 1 - there);
    }
    case CU_TR_ADDRESS_MODE_BORDER:
        return index < 0 || index >= n ? std::nullopt : std::optional(static_cast<std::uint64_t>(index));
    default: return static_cast<std::uint64_t>(std::clamp<std::int64_t>(index, 0, n - 1));
    }
}

/// Samples one texture for some lanes.
class Sampler {
public:
    Sampler(Warp& warp, const ImageAccess& access, const ImageObject& object, Lanes lanes)
        : warp_(warp), access_(access), image_(object.image), how_(object.how), lanes_(lanes),
          as_integers_((how_.flags & CU_TRSF_READ_AS_INTEGER) != 0),
          normalized_((how_.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0),
          linear_(how_.filter_mode == CU_TR_FILTER_MODE_LINEAR), sizes_{image_.width, image_.rows(), image_.depth},
          axes_(axes()) {}

    void sample() {
        locate();
        if (!linear_) {
            take(0);
            return each(lanes_, [&](unsigned lane) { put(lane, taken_[lane]); });
        }
        std::array<std::array<double, 4>, warp_size> sums{};
        for (unsigned corner = 0; corner < 1U << axes_; ++corner) {
            take(corner);
            each(lanes_, [&](unsigned lane) {
                const double share = share_of(lane, corner);
                for (std::size_t c = 0; share != 0 && c < 4; ++c)
                    sums[lane][c] += share * double{std::bit_cast<float>(taken_[lane][c])};
            });
        }
        each(lanes_, [&](unsigned lane) {
            Channels rounded;
            for (std::size_t c = 0; c < 4; ++c)
                rounded[c] = std::bit_cast<std::uint32_t>(static_cast<float>(sums[lane][c]));
            put(lane, rounded);
        });
    }

    /// By whole numbers, in memory without rows. Outside it there are zeros.
    void fetch() {
        const auto* const x = warp_.at<std::int32_t>(access_.coordinates.front());
        Addresses addresses{};
        Lanes inside = 0;
        each(lanes_, [&](unsigned lane) {
            taken_[lane] = {};
            if (x[lane] < 0 || static_cast<std::uint64_t>(x[lane]) >= image_.width)
                return;
            inside |= Lanes{1} << lane;
            addresses[lane] = image_.address + static_cast<std::uint64_t>(x[lane]) * texel_bytes_;
        });
        read(addresses, inside);
        each(lanes_, [&](unsigned lane) { put(lane, taken_[lane]); });
    }

private:
    /// Those along which elements are looked for. Of a row an H200 takes half from beyond it if the second address mode
    /// is the border: it filters a plane of height 1 at its upper edge.
    [[nodiscard]] std::size_t axes() const {
        const bool row = access_.coordinates.size() == 1 && !access_.layered;
        return row && linear_ && mode(1) == CU_TR_ADDRESS_MODE_BORDER ? 2 : access_.coordinates.size();
    }

    void locate() {
        for (Position& position : positions_)
            position.fill(between(0, linear_));
        for (std::size_t axis = 0; axis < access_.coordinates.size(); ++axis) {
            const auto* const coordinate = warp_.at<float>(access_.coordinates[axis]);
            each(lanes_, [&](unsigned lane) {
                positions_[lane][axis] = between(in_elements(coordinate[lane], normalized_, sizes_[axis]), linear_);
            });
        }
    }

    /// The weight of a corner: bit a says whether it lies above the position along axis a.
    [[nodiscard]] double share_of(unsigned lane, unsigned corner) const {
        double share = 1;
        for (std::size_t axis = 0; axis < axes_; ++axis) {
            const double above = positions_[lane][axis].share;
            share *= ((corner >> axis) & 1) != 0 ? above : 1 - above;
        }
        return share;
    }

    /// Where coordinates are in elements nothing can be wrapped or mirrored.
    [[nodiscard]] std::uint32_t mode(std::size_t axis) const {
        const std::uint32_t mode = how_.address_modes[axis];
        const bool repeats = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
        return repeats && !normalized_ ? std::uint32_t{CU_TR_ADDRESS_MODE_CLAMP} : mode;
    }

    [[nodiscard]] std::optional<Address> address(unsigned lane, unsigned corner) const {
        Index index{};
        for (std::size_t axis = 0; axis < axes_; ++axis) {
            const std::int64_t at = positions_[lane][axis].index + ((corner >> axis) & 1);
            const auto element = element_of(at, sizes_[axis], mode(axis));
            if (!element)
                return std::nullopt;
            index[axis] = *element;
        }
        if (access_.layered) {
            const std::uint32_t layer = warp_.at<std::uint32_t>(access_.layer)[lane];
            index[2] = std::min<std::uint64_t>(layer, image_.depth - 1); // one below 0 is a large one
        }
        return image_.address + index[2] * image_.slice() + index[1] * image_.pitch + index[0] * texel_bytes_;
    }

    /// One corner of each lane, the border's colour where it lies outside. A corner without weight is not read.
    void take(unsigned corner) {
        Addresses addresses{};
        Lanes inside = 0;
        each(lanes_, [&](unsigned lane) {
            taken_[lane] = how_.border;
            if (linear_ && share_of(lane, corner) == 0)
                return;
            if (const auto found = address(lane, corner)) {
                inside |= Lanes{1} << lane;
                addresses[lane] = *found;
            }
        });
        read(addresses, inside);
    }

    void read(const Addresses& addresses, Lanes lanes) {
        if (lanes == 0)
            return;
        with_located(warp_, Where::global, addresses, lanes, static_cast<std::uint32_t>(texel_bytes_), Access::read,
                     [&](Lanes some, Located located) {
                         each(some, [&](unsigned lane) {
                             taken_[lane] = read_texel(located.at(addresses[lane], lane), image_.texel, as_integers_);
                         });
                     });
    }

    void put(unsigned lane, const Channels& channels) {
        for (std::size_t c = 0; c < access_.values.size(); ++c)
            warp_.at<std::uint32_t>(access_.values[c])[lane] = channels[c];
    }

    Warp& warp_;
    const ImageAccess& access_;
    const Image& image_;
    const recipe::CreateTexture& how_;
    Lanes lanes_;
    bool as_integers_;
    bool normalized_;
    bool linear_;
    std::array<std::uint64_t, most_dimensions> sizes_;
    std::size_t axes_;
    std::uint64_t texel_bytes_ = recipe::texel_bytes(image_.texel);
    std::array<Position, warp_size> positions_{};
    std::array<Channels, warp_size> taken_{};
};

/// Memory without rows is read by whole numbers, and only so.
template <bool by_whole_numbers> void sample(Warp& warp, const Step& step, Lanes lanes) {
    const ImageAccess& access = warp.code().image_accesses[step.target];
    each_object(warp, access, false, lanes, [&](const ImageObject& object, Lanes some) {
        if ((object.how.resource == recipe::CreateTexture::Resource::linear) != by_whole_numbers)
            throw Fault("texture of linear memory by floating-point numbers, or another texture by whole numbers",
                        first(some));
        Sampler sampler(warp, access, object, some);
        by_whole_numbers ? sampler.fetch() : sampler.sample();
    });
}

} // namespace

void decode_tex(Instruction& i) {
    const bool level = i.modifiers.take("level"); // there is but one
    i.modifiers.take("base");
    if (i.size() != (level ? 3U : 2U) || !i.modifiers.take("v4") || i.operand(0).kind != Kind::vector ||
        i.operand(0).parts.size() != 4)
        i.unsupported();
    const Type result = i.type();
    const Type coordinates = i.type();
    if ((result != Type::f32 && result != Type::u32 && result != Type::s32) ||
        (coordinates != Type::f32 && coordinates != Type::s32))
        i.unsupported();
    ImageAccess access = take_image_access(i, i.operand(1), coordinates);
    const bool whole = coordinates == Type::s32;
    if (whole && (access.layered || access.coordinates.size() != 1 || level))
        i.unsupported();
    for (const ptx::Operand& value : i.operand(0).parts)
        access.values.push_back(i.destination(value, Type::b32));
    encode_image_access(i, std::move(access));
    i.emit(whole ? &sample<true> : &sample<false>);
}

} // namespace cudabench::cpu
