#include "executor/cpu/alu.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cudabench::cpu {
namespace {

using ptx::Type;

/// The type that an instruction computes in: the last one among its modifiers.
Type last_type(const Instruction& i) {
    Modifiers copy = i.modifiers;
    Type last = Type::b32;
    while (const auto type = copy.take_type())
        last = *type;
    return last;
}

constexpr Decoder none = nullptr;

/// One opcode for integers, f32 and f64, the 16-bit formats, and pairs of 16-bit integers.
template <Decoder integer, Decoder floating, Decoder half, Decoder packed = none> void by_kind(Instruction& i) {
    Decoder decode = integer;
    switch (last_type(i)) {
    case Type::f32:
    case Type::f64: decode = floating; break;
    // NOLINTNEXTLINE(bugprone-branch-clone): some opcodes have one decoder for both
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2: decode = half; break;
    case Type::u16x2:
    case Type::s16x2: decode = packed; break;
    default: break;
    }
    if (decode == nullptr)
        i.unsupported();
    decode(i);
}

constexpr auto opcodes = std::to_array<std::pair<std::string_view, Decoder>>({
    {"abs", by_kind<decode_integer_abs, decode_float_abs_neg, decode_half_arithmetic>},
    {"activemask", decode_activemask},
    {"add", by_kind<decode_integer_add, decode_float_arithmetic, decode_half_arithmetic, decode_packed_add>},
    {"addc", decode_addc},
    {"and", decode_logic},
    {"applypriority", decode_hint},
    {"atom", decode_atom},
    {"bar", decode_bar},
    {"barrier", decode_bar},
    {"bfe", decode_bfe},
    {"bfi", decode_bfi},
    {"bfind", decode_bfind},
    {"bmsk", decode_bmsk},
    {"bra", decode_bra},
    {"brev", decode_brev},
    {"brx", decode_brx},
    {"call", decode_call},
    {"clz", decode_popc_clz},
    {"cnot", decode_cnot},
    {"copysign", decode_copysign},
    {"cos", decode_approximate},
    {"cp", decode_cp},
    {"createpolicy", decode_createpolicy},
    {"cvt", decode_cvt},
    {"cvta", decode_cvta},
    {"discard", decode_hint},
    {"div", by_kind<decode_integer_div, decode_float_arithmetic, none>},
    {"dp2a", decode_dp2a},
    {"dp4a", decode_dp4a},
    {"elect", decode_elect},
    {"ex2", by_kind<none, decode_approximate, decode_half_arithmetic>},
    {"exit", decode_exit},
    {"fence", decode_fence},
    {"fma", by_kind<none, decode_float_fma, decode_half_arithmetic>},
    {"griddepcontrol", decode_hint},
    {"isspacep", decode_isspacep},
    {"ld", decode_ld},
    {"ldmatrix", decode_ldmatrix},
    {"ldu", decode_ld},
    {"lg2", decode_approximate},
    {"lop3", decode_lop3},
    {"mad", by_kind<decode_integer_mad, decode_float_fma, none>},
    {"mad24", decode_mad24},
    {"madc", decode_integer_mad},
    {"match", decode_match},
    {"max", by_kind<decode_integer_min_max, decode_float_min_max, decode_half_arithmetic, decode_packed_min_max>},
    {"mbarrier", decode_mbarrier},
    {"membar", decode_fence},
    {"min", by_kind<decode_integer_min_max, decode_float_min_max, decode_half_arithmetic, decode_packed_min_max>},
    {"mma", decode_mma},
    {"mov", decode_mov},
    {"movmatrix", decode_movmatrix},
    {"mul", by_kind<decode_integer_mul, decode_float_arithmetic, decode_half_arithmetic>},
    {"mul24", decode_mul24},
    {"nanosleep", decode_nanosleep},
    {"neg", by_kind<decode_integer_neg, decode_float_abs_neg, decode_half_arithmetic>},
    {"not", decode_logic},
    {"or", decode_logic},
    {"popc", decode_popc_clz},
    {"prefetch", decode_hint},
    {"prefetchu", decode_hint},
    {"prmt", decode_prmt},
    {"rcp", decode_rcp_sqrt},
    {"red", decode_atom},
    {"redux", decode_redux},
    {"rem", decode_rem},
    {"ret", decode_ret},
    {"rsqrt", decode_rcp_sqrt},
    {"sad", decode_sad},
    {"selp", decode_selp},
    {"set", decode_set},
    {"setp", decode_setp},
    {"shf", decode_shf},
    {"shfl", decode_shfl},
    {"shl", decode_shift},
    {"shr", decode_shift},
    {"sin", decode_approximate},
    {"slct", decode_slct},
    {"sqrt", decode_rcp_sqrt},
    {"st", decode_st},
    {"stmatrix", decode_stmatrix},
    {"sub", by_kind<decode_integer_sub, decode_float_arithmetic, decode_half_arithmetic>},
    {"subc", decode_subc},
    {"suld", decode_suld},
    {"sust", decode_sust},
    {"szext", decode_szext},
    {"tanh", by_kind<none, decode_approximate, decode_half_arithmetic>},
    {"testp", decode_testp},
    {"tex", decode_tex},
    {"trap", decode_trap},
    {"vabsdiff2", decode_vabsdiff},
    {"vabsdiff4", decode_vabsdiff},
    {"vote", decode_vote},
    {"wmma", decode_wmma},
    {"xor", decode_logic},
});
static_assert(std::ranges::is_sorted(opcodes, {}, &std::pair<std::string_view, Decoder>::first));

} // namespace

Decoder decoder_of(std::string_view opcode) {
    const auto* const found =
        std::ranges::lower_bound(opcodes, opcode, {}, &std::pair<std::string_view, Decoder>::first);
    return found != opcodes.end() && found->first == opcode ? found->second : nullptr;
}

} // namespace cudabench::cpu
