#pragma once

#include "executor/cpu/instruction.h"

/// The decoders of opcodes, each in the file of its kind; opcodes.cpp has the table.
namespace cudabench::cpu {

// alu_integer.cpp
void decode_integer_add(Instruction& i);
void decode_addc(Instruction& i);
void decode_integer_sub(Instruction& i);
void decode_subc(Instruction& i);
void decode_integer_mul(Instruction& i);
void decode_integer_mad(Instruction& i);
void decode_mul24(Instruction& i);
void decode_mad24(Instruction& i);
void decode_sad(Instruction& i);
void decode_integer_div(Instruction& i);
void decode_rem(Instruction& i);
void decode_integer_abs(Instruction& i);
void decode_integer_neg(Instruction& i);
void decode_integer_min_max(Instruction& i);
void decode_dp4a(Instruction& i);
void decode_dp2a(Instruction& i);

// alu_packed.cpp
void decode_packed_add(Instruction& i);
void decode_packed_min_max(Instruction& i);
void decode_vabsdiff(Instruction& i); ///< vabsdiff2, vabsdiff4

// alu_bits.cpp
void decode_popc_clz(Instruction& i);
void decode_bfind(Instruction& i);
void decode_brev(Instruction& i);
void decode_bfe(Instruction& i);
void decode_bfi(Instruction& i);
void decode_bmsk(Instruction& i);
void decode_szext(Instruction& i);
void decode_logic(Instruction& i);
void decode_cnot(Instruction& i);
void decode_lop3(Instruction& i);
void decode_shift(Instruction& i);
void decode_shf(Instruction& i);
void decode_prmt(Instruction& i);

// alu_float.cpp
void decode_float_arithmetic(Instruction& i); ///< add, sub, mul, div
void decode_float_fma(Instruction& i);        ///< fma, mad
void decode_float_abs_neg(Instruction& i);
void decode_float_min_max(Instruction& i);
void decode_rcp_sqrt(Instruction& i);    ///< rcp, sqrt, rsqrt
void decode_approximate(Instruction& i); ///< sin, cos, lg2, ex2, tanh
void decode_copysign(Instruction& i);
void decode_testp(Instruction& i);

// alu_half.cpp
void decode_half_arithmetic(Instruction& i); ///< add, sub, mul, fma, neg, abs, min, max, ex2, tanh

// compare.cpp
void decode_setp(Instruction& i);
void decode_set(Instruction& i);
void decode_selp(Instruction& i);
void decode_slct(Instruction& i);

// convert.cpp
void decode_cvt(Instruction& i);

// move.cpp
void decode_mov(Instruction& i);
void decode_cvta(Instruction& i);
void decode_isspacep(Instruction& i);

// load_store.cpp
void decode_ld(Instruction& i);
void decode_st(Instruction& i);
void decode_cp(Instruction& i);
void decode_createpolicy(Instruction& i);
void decode_hint(Instruction& i); ///< prefetch and the like: no effect on values

// matrix.cpp
void decode_mma(Instruction& i);
void decode_wmma(Instruction& i);

// matrix_rows.cpp
void decode_ldmatrix(Instruction& i);
void decode_stmatrix(Instruction& i);
void decode_movmatrix(Instruction& i);

// mbarrier.cpp
void decode_mbarrier(Instruction& i);
void decode_copy_arrival(Instruction& i); ///< cp.async.mbarrier.arrive
void decode_copy_bulk(Instruction& i);    ///< cp.async.bulk

// texture.cpp
void decode_tex(Instruction& i);

// surface.cpp
void decode_suld(Instruction& i);
void decode_sust(Instruction& i);

// atomic.cpp
void decode_atom(Instruction& i); ///< atom, red

// collective.cpp
void decode_shfl(Instruction& i);
void decode_vote(Instruction& i);
void decode_match(Instruction& i);
void decode_redux(Instruction& i);
void decode_activemask(Instruction& i);
void decode_elect(Instruction& i);

// control.cpp
void decode_bra(Instruction& i);
void decode_brx(Instruction& i);
void decode_call(Instruction& i);
void decode_ret(Instruction& i);
void decode_exit(Instruction& i);
void decode_trap(Instruction& i);
void decode_bar(Instruction& i);   ///< bar, barrier
void decode_fence(Instruction& i); ///< membar, fence
void decode_nanosleep(Instruction& i);

} // namespace cudabench::cpu
