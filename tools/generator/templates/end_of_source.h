#pragma once

// Included after a candidate: what its source leaves open is an error here, in the block of a function or class, a
// namespace or extern "C" too, and not somewhere in the contract. cudabench-compile then says that the source ends
// early.
namespace cudabench_end_of_source {}
using namespace ::cudabench_end_of_source;
template <typename> struct cudabench_outside_of_declarations;
