#pragma once

#include "executor/cpu/code.h"
#include "executor/cpu/linkage.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

namespace cudabench::cpu {

/// Decodes a kernel of `linkage.module()` and all functions that it may call. Failures of stage contract:
/// "unsupported_instruction: <opcode>", or what is wrong, with the line.
[[nodiscard]] Expected<Code, Failure> decode_kernel(const Linkage& linkage, const ptx::Function& kernel);

} // namespace cudabench::cpu
