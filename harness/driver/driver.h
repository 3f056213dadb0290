#pragma once

#include "driver/driver_error.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cuda.h>

namespace cudabench::driver {

struct Driver;

template <typename Pointer> class Function;

/// A function of the CUDA driver, found at run time.
template <typename... Arguments> class Function<CUresult (*)(Arguments...)> {
public:
    /// Throws DriverError unless it succeeds.
    void operator()(Arguments... arguments) const {
        if (const CUresult result = pointer_(arguments...); result != CUDA_SUCCESS)
            fail(result);
    }
    /// The result, for the caller to judge.
    CUresult result(Arguments... arguments) const { return pointer_(arguments...); }
    /// Throws the DriverError that `result`, an answer of this function, stands for.
    [[noreturn]] void fail(CUresult result) const;

private:
    friend Expected<const Driver*, Failure> load();
    const char* name_ = nullptr;
    CUresult (*pointer_)(Arguments...) = nullptr;
};

// The functions used. A list, because cuda.h renames functions by macros (cuMemAlloc is cuMemAlloc_v2): member, type
// and name looked up must follow the same renaming.
// clang-format off
#define CUDABENCH_DRIVER_FUNCTIONS(f)                                                                                 \
    f(cuInit) f(cuDriverGetVersion) f(cuGetErrorName) f(cuGetErrorString) f(cuDeviceGet) f(cuDeviceGetCount)          \
    f(cuDeviceGetName) f(cuDeviceGetUuid) f(cuDeviceTotalMem) f(cuDeviceGetAttribute)                                 \
    f(cuDevicePrimaryCtxRetain) f(cuDevicePrimaryCtxRelease) f(cuCtxSetCurrent) f(cuCtxSynchronize)                   \
    f(cuCtxSetLimit) f(cuCtxResetPersistingL2Cache) f(cuStreamCreate) f(cuStreamDestroy) f(cuStreamSynchronize)       \
    f(cuStreamWaitEvent) f(cuStreamBeginCapture) f(cuStreamEndCapture) f(cuEventCreate) f(cuEventDestroy)             \
    f(cuEventRecord) f(cuEventRecordWithFlags) f(cuEventQuery) f(cuEventSynchronize) f(cuEventElapsedTime)            \
    f(cuGraphDestroy) f(cuGraphInstantiate) f(cuGraphExecDestroy) f(cuGraphUpload) f(cuGraphLaunch)                   \
    f(cuLibraryLoadData) f(cuLibraryUnload) f(cuLibraryGetKernel) f(cuLibraryGetKernelCount)                          \
    f(cuLibraryEnumerateKernels) f(cuLibraryGetGlobal) f(cuKernelGetName) f(cuKernelGetParamInfo)                     \
    f(cuKernelSetAttribute) f(cuKernelGetAttribute) f(cuLaunchKernelEx) f(cuMemGetInfo) f(cuMemAlloc)                 \
    f(cuMemFree) f(cuMemHostAlloc) f(cuMemFreeHost) f(cuMemcpyDtoHAsync) f(cuMemcpyHtoDAsync)                         \
    f(cuMemcpyDtoDAsync) f(cuMemcpy2DAsync) f(cuMemsetD8Async) f(cuMemsetD2D8Async) f(cuMemAddressReserve)            \
    f(cuMemAddressFree) f(cuMemCreate) f(cuMemRelease) f(cuMemMap) f(cuMemUnmap) f(cuMemSetAccess)                    \
    f(cuMemGetAllocationGranularity) f(cuMemcpy3DAsync) f(cuArray3DCreate) f(cuArrayDestroy) f(cuTexObjectCreate)     \
    f(cuTexObjectDestroy) f(cuSurfObjectCreate) f(cuSurfObjectDestroy) f(cuTensorMapEncodeTiled)                      \
    f(cuOccupancyMaxActiveClusters) f(cuOccupancyMaxPotentialClusterSize) f(cuLibraryGetManaged)
// clang-format on

/// The CUDA driver's functions, by their names in cuda.h: driver.cuMemAlloc(&address, bytes).
struct Driver {
#define CUDABENCH_MEMBER(name) Function<decltype(&::name)> name; // NOLINT(bugprone-macro-parentheses): a declaration
    CUDABENCH_DRIVER_FUNCTIONS(CUDABENCH_MEMBER)
#undef CUDABENCH_MEMBER
};

/// The driver of this machine, loaded and initialised at the first call. Nothing links it, so that everything runs on
/// machines without one. Failure: stage not_run, there is no driver, none of this version, or no device.
Expected<const Driver*, Failure> load();

namespace detail {
[[noreturn]] void throw_driver_error(const char* function, CUresult result);
}

template <typename... Arguments> void Function<CUresult (*)(Arguments...)>::fail(CUresult result) const {
    detail::throw_driver_error(name_, result);
}

} // namespace cudabench::driver
