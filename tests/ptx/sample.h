#pragma once

#include <string_view>

/// Every kind of declaration, statement and operand that the parser knows.
inline constexpr std::string_view sample = R"(
.version 9.0
.target sm_90, texmode_independent
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b) ;
.global .align 4 .b8 counter[16] = {1, 0, 0, 0, 2};
.global .align 8 .u64 pointer = generic(counter)+8;
.visible .const .align 4 .f32 weights[3] = {0f3F800000, -1, 0f40000000};
.global .align 1 .b8 bytes[4] = {0xFF(counter), 0xFF00(counter), 3, 0x4};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 result) helper(.param .b32 x, .param .align 8 .b8 s[16])
{
 .reg .b32 %r<3>;
 ld.param.b32 %r1, [x];
 st.param.b32 [result+0], %r1;
 ret;
}
.visible .entry kernel(.param .u64 .ptr .global .align 4 p, .param .u32 n) .maxntid 128, 2, 1 .minnctapersm 2
{
 .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f1, %f2; .reg .b64 %rd<4>;
 .local .align 8 .b8 depot[32];
 .loc 1 12 3, function_name info, inlined_at 1 2 3
 ld.param.u64 %rd1, [p];
 mov.u32 %r1, %tid.x;
 setp.lt.s32 %p1|%p2, %r1, -5;
 @!%p1 bra $L1;
 ld.global.nc.L1::no_allocate.v2.u32 {%r2, _}, [%rd1+-8];
 { .reg .b32 %r; LOOP: add.s32 %r, %r1, 1; @%p2 bra LOOP; }
 { .reg .b32 %r; LOOP: sub.s32 %r, %r1, 1; @%p2 bra LOOP; }
 ts: .branchtargets $L1, $L2;
 brx.idx %r1, ts;
$L1: { .param .b32 arg; .param .align 8 .b8 agg[16]; .param .b32 ret0;
 st.param.b32 [arg], %r1; call.uni (ret0), helper, (arg, agg); ld.param.b32 %r3, [ret0]; }
$L2: fma.rn.f32 %f1, %f2, 0f3F800000, %f1; /* comment */ selp.b32 %r4, 1, 0, !%p1;
 .pragma "nounroll";
 ret;
}
)";
