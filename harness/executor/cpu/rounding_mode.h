#pragma once

#include "executor/cpu/elementwise.h"

#include <cfenv>
#include <string_view>

namespace cudabench::cpu {

/// The host rounds so while this lives.
class RoundingMode {
public:
    explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    ~RoundingMode() { std::fesetround(before_); }
    RoundingMode(const RoundingMode&) = delete;
    RoundingMode& operator=(const RoundingMode&) = delete;

private:
    int before_;
};

namespace detail {

template <Handler body, int mode> struct Rounded {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const RoundingMode rounding(mode);
        body(warp, step, lanes);
    }
};

template <Handler body> Handler rounded(std::string_view rounding) {
    if (rounding == "rz")
        return &Rounded<body, FE_TOWARDZERO>::run;
    if (rounding == "rm")
        return &Rounded<body, FE_DOWNWARD>::run;
    if (rounding == "rp")
        return &Rounded<body, FE_UPWARD>::run;
    return nullptr;
}

} // namespace detail

/// `Body` with results rounded as .rz, .rm or .rp say. Null for another word. What it computes comes from memory and
/// goes there, so that no operation can leave the span between the two changes of the mode.
template <typename Body> [[nodiscard]] Handler in_rounding_mode(std::string_view rounding) {
#ifdef __x86_64__
    if (wide_host())
        return detail::rounded<&detail::run_wide<Body>>(rounding);
#endif
    return detail::rounded<&detail::run_plain<Body>>(rounding);
}

} // namespace cudabench::cpu
