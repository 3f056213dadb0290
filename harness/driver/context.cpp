#include "driver/context.h"

#include "driver/lost.h"

namespace cudabench::driver {

Context::Context(const Driver& driver, CUdevice device) : driver_(driver), device_(device) {
    CUcontext context = nullptr;
    driver_.cuDevicePrimaryCtxRetain(&context, device_);
    driver_.cuCtxSetCurrent(context);
}

Context::~Context() {
    if (!lost())
        driver_.cuDevicePrimaryCtxRelease.result(device_);
}

} // namespace cudabench::driver
