#include "driver/driver_error.h"

#include "driver/lost.h"

#include <fmt/format.h>

#include <string_view>

namespace cudabench::driver {
namespace {

/// The runtime's name, which candidates' authors know, for the errors that device code can cause.
std::string_view runtime_name(CUresult result) {
    switch (result) {
    case CUDA_ERROR_INVALID_VALUE: return "cudaErrorInvalidValue";
    case CUDA_ERROR_OUT_OF_MEMORY: return "cudaErrorMemoryAllocation";
    case CUDA_ERROR_INVALID_SOURCE: return "cudaErrorInvalidSource";
    case CUDA_ERROR_INVALID_PTX: return "cudaErrorInvalidPtx";
    case CUDA_ERROR_NO_BINARY_FOR_GPU: return "cudaErrorNoKernelImageForDevice";
    case CUDA_ERROR_ECC_UNCORRECTABLE: return "cudaErrorECCUncorrectable";
    case CUDA_ERROR_ILLEGAL_ADDRESS: return "cudaErrorIllegalAddress";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: return "cudaErrorLaunchOutOfResources";
    case CUDA_ERROR_LAUNCH_TIMEOUT: return "cudaErrorLaunchTimeout";
    case CUDA_ERROR_ASSERT: return "cudaErrorAssert";
    case CUDA_ERROR_HARDWARE_STACK_ERROR: return "cudaErrorHardwareStackError";
    case CUDA_ERROR_ILLEGAL_INSTRUCTION: return "cudaErrorIllegalInstruction";
    case CUDA_ERROR_MISALIGNED_ADDRESS: return "cudaErrorMisalignedAddress";
    case CUDA_ERROR_INVALID_ADDRESS_SPACE: return "cudaErrorInvalidAddressSpace";
    case CUDA_ERROR_INVALID_PC: return "cudaErrorInvalidPc";
    case CUDA_ERROR_LAUNCH_FAILED: return "cudaErrorLaunchFailure";
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: return "cudaErrorCooperativeLaunchTooLarge";
    case CUDA_ERROR_UNKNOWN: return "cudaErrorUnknown";
    default: return "";
    }
}

std::string describe(CUresult result, const char* name, const char* text) {
    const std::string_view runtime = runtime_name(result);
    return fmt::format("CUDA error {} ({}{}{}): {}", static_cast<int>(result), runtime, runtime.empty() ? "" : " / ",
                       name, text);
}

} // namespace

bool is_device_fault(CUresult result) noexcept {
    switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_UNKNOWN: return true;
    default: return false;
    }
}

DriverError::DriverError(const char* function, CUresult result, const char* name, const char* text)
    : std::runtime_error(fmt::format("{}: {}", function, describe(result, name, text))), result_(result),
      function_(function), description_(describe(result, name, text)) {
    if (is_device_fault(result))
        set_lost();
}

} // namespace cudabench::driver
