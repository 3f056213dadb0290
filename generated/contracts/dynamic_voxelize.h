// How CUDABench calls a candidate of the task dynamic_voxelize. Made by the generator; included after the candidate's source.
//
//   extern "C" void solve(const float* points, int* voxels, int N, float range_xy, float range_z, float voxel_xy, float voxel_z)
//
// Buffers are points, voxels; dims are N; params are range_xy, range_z, voxel_xy, voxel_z.
#pragma once

// Found by ::solve only where the candidate declares none.
namespace cudabench_absent {
struct cudabench_nothing {};
extern cudabench_nothing solve;
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
    if constexpr (cudabench_is<cudabench_actual, void(float*, int*, int, float, float, float, float)>) {
        cudabench_function(static_cast<float*>(cudabench_buffers[0]),
                           static_cast<int*>(cudabench_buffers[1]),
                           static_cast<int>(cudabench_dims[0]),
                           static_cast<float>(cudabench_params[0]),
                           static_cast<float>(cudabench_params[1]),
                           static_cast<float>(cudabench_params[2]),
                           static_cast<float>(cudabench_params[3]));
    } else if constexpr (cudabench_same<cudabench_actual, cudabench_absent::cudabench_nothing>) {
        static_assert(!cudabench_same<cudabench_actual, cudabench_actual>,
                      "CUDABENCH_CONTRACT: the source defines no function solve at global scope; dynamic_voxelize needs: "
                      "void solve(const float* points, int* voxels, int N, float range_xy, float range_z, float voxel_xy, float voxel_z)");
    } else {
        static_assert(!cudabench_same<cudabench_actual, cudabench_actual>,
                      "CUDABENCH_CONTRACT: solve has a type that dynamic_voxelize does not accept (see cudabench_actual); accepted: "
                      "void solve(const float* points, int* voxels, int N, float range_xy, float range_z, float voxel_xy, float voxel_z)");
    }
}

} // namespace cudabench_contract

extern "C" __attribute__((visibility("default"))) void cudabench_call(void* const* cudabench_buffers, const long long* cudabench_dims,
                                                                      const double* cudabench_params) {
    cudabench_contract::cudabench_invoke(::solve, cudabench_buffers, cudabench_dims, cudabench_params);
}
