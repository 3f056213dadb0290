#include "driver/context.h"

#include "driver/lost.h"

namespace cudabench::driver {

Context::Context(const Driver& driver, CUdevice device) : driver_(driver), device_(device) {
    driver_.cuDevicePrimaryCtxRetain(&handle_, device_);
    driver_.cuCtxSetCurrent(handle_);
}

Context::~Context() {
    if (!lost())
        driver_.cuDevicePrimaryCtxRelease.result(device_);
}

} // namespace cudabench::driver
