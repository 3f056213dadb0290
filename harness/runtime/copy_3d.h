#pragma once

#include "runtime/copy.h"
#include "runtime/recording.h"

namespace cudabench::runtime {

/// The copy, on the stream that it is given when its time comes.
[[nodiscard]] Work copy_later(Copy copy);

/// The copies, slice by slice where slices do not follow one another, that one of cudaMemcpy3D is.
cudaError_t perform_3d(Recording& r, const cudaMemcpy3DParms& params, recipe::StreamId stream, bool blocking);

/// The fill of a memset node: elements of 1, 2 or 4 bytes.
cudaError_t fill_elements(Recording& r, recipe::StreamId stream, const cudaMemsetParams& params);

/// Fills rows; see cudaMemset2D.
cudaError_t fill(Recording& r, recipe::StreamId stream, void* address, std::size_t pitch, int value,
                 recipe::Region region);

/// The array behind a handle, or null.
[[nodiscard]] const Array* find_array(const Recording& r, cudaArray_const_t handle);

} // namespace cudabench::runtime
