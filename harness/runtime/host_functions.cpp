#include "runtime/recording.h"

/// Host functions in streams. Nothing of a stream's work is still to come when they are called: copies to the host have
/// been answered, and shared memory is fetched when it is touched.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

Work call(const std::function<void()>& function) {
    return [function](Recording& r, recipe::StreamId stream) {
        r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::stream, stream});
        function();
        return cudaSuccess;
    };
}

} // namespace

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!function)
        return remember(cudaErrorInvalidValue);
    return submit_on(stream, cudaGraphNodeTypeHost, call([=] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    if (!callback)
        return remember(cudaErrorInvalidValue);
    return submit_on(stream, cudaGraphNodeTypeHost, call([=] { callback(stream, cudaSuccess, data); }));
}
