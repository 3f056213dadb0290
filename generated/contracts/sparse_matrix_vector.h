// How CUDABench calls a candidate of the task sparse_matrix_vector. Made by the generator; included after the candidate's source.
//
//   extern "C" void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y, int rows, int cols, int nnz)
//
// Buffers are values, columns, row_offsets, x, y; dims are rows, cols, nnz.
#pragma once

// Found by ::solve only where the candidate declares none.
namespace cudabench_absent {
struct cudabench_nothing {};
extern cudabench_nothing solve;
extern cudabench_nothing magnitude;
} // namespace cudabench_absent
using namespace cudabench_absent;

namespace cudabench_contract {

// The type of a function, const of what its arguments point to left out.
template <typename cudabench_argument> struct cudabench_bare { using cudabench_type = cudabench_argument; };
template <typename cudabench_target> struct cudabench_bare<const cudabench_target*> { using cudabench_type = cudabench_target*; };

template <typename cudabench_function> struct cudabench_plain { using cudabench_type = cudabench_function; };
template <typename cudabench_result, typename... cudabench_arguments>
struct cudabench_plain<cudabench_result(cudabench_arguments...)> {
    using cudabench_type = cudabench_result(typename cudabench_bare<cudabench_arguments>::cudabench_type...);
};
template <typename cudabench_result, typename... cudabench_arguments>
struct cudabench_plain<cudabench_result(cudabench_arguments...) noexcept> {
    using cudabench_type = cudabench_result(typename cudabench_bare<cudabench_arguments>::cudabench_type...);
};

template <typename cudabench_left, typename cudabench_right> constexpr bool cudabench_same = false;
template <typename cudabench_type> constexpr bool cudabench_same<cudabench_type, cudabench_type> = true;

template <typename cudabench_function, typename cudabench_accepted>
constexpr bool cudabench_is = cudabench_same<typename cudabench_plain<cudabench_function>::cudabench_type, cudabench_accepted>;

// cudabench_actual is the type of the function that the source defines: the compiler shows it with the message.
template <typename cudabench_actual>
void cudabench_invoke([[maybe_unused]] cudabench_actual& cudabench_function, [[maybe_unused]] void* const* cudabench_buffers,
                      [[maybe_unused]] const long long* cudabench_dims, [[maybe_unused]] const double* cudabench_params) {
    if constexpr (cudabench_is<cudabench_actual, void(float*, int*, int*, float*, float*, int, int, int)>) {
        cudabench_function(static_cast<float*>(cudabench_buffers[0]),
                           static_cast<int*>(cudabench_buffers[1]),
                           static_cast<int*>(cudabench_buffers[2]),
                           static_cast<float*>(cudabench_buffers[3]),
                           static_cast<float*>(cudabench_buffers[4]),
                           static_cast<int>(cudabench_dims[0]),
                           static_cast<int>(cudabench_dims[1]),
                           static_cast<int>(cudabench_dims[2]));
    } else if constexpr (cudabench_same<cudabench_actual, cudabench_absent::cudabench_nothing>) {
        static_assert(!cudabench_same<cudabench_actual, cudabench_actual>,
                      "CUDABENCH_CONTRACT: the source defines no function solve at global scope; sparse_matrix_vector needs: "
                      "void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y, int rows, int cols, int nnz)");
    } else {
        static_assert(!cudabench_same<cudabench_actual, cudabench_actual>,
                      "CUDABENCH_CONTRACT: solve has a type that sparse_matrix_vector does not accept (see cudabench_actual); accepted: "
                      "void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y, int rows, int cols, int nnz)");
    }
}

} // namespace cudabench_contract

extern "C" __attribute__((visibility("default"))) void cudabench_call(void* const* cudabench_buffers, const long long* cudabench_dims,
                                                                      const double* cudabench_params) {
    cudabench_contract::cudabench_invoke(::solve, cudabench_buffers, cudabench_dims, cudabench_params);
}

#ifdef CUDABENCH_REFERENCE
// Writes, in place of each output element, the magnitude A that its error is allowed in proportion to.
extern "C" __attribute__((visibility("default"))) void cudabench_magnitude(void* const* cudabench_buffers, const long long* cudabench_dims,
                                                                           const double* cudabench_params) {
    cudabench_contract::cudabench_invoke(::magnitude, cudabench_buffers, cudabench_dims, cudabench_params);
}
#endif
