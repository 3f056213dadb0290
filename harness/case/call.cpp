#include "case/call.h"

namespace cudabench {

std::vector<std::uint64_t> input_bytes(const Task& task, const Shape& shape) {
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 0; i < task.inputs.size(); ++i)
        bytes.push_back(shape.input_elements.at(i) * size_in_bytes(task.inputs[i].dtype));
    return bytes;
}

std::vector<std::uint64_t> output_bytes(const Task& task, const Shape& shape) {
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 0; i < task.outputs.size(); ++i)
        bytes.push_back(shape.output_elements.at(i) * size_in_bytes(task.outputs[i].dtype));
    return bytes;
}

recipe::Call make_call(const Task& task, const Shape& shape, const std::string& function,
                       std::span<const recipe::Address> addresses) {
    recipe::Call call{.function = function, .buffers = {}, .dims = shape.dims, .params = task.params};
    std::size_t next = 0;
    for (const std::uint64_t bytes : input_bytes(task, shape))
        call.buffers.push_back({.address = addresses[next++], .bytes = bytes, .writable = false});
    for (const std::uint64_t bytes : output_bytes(task, shape))
        call.buffers.push_back({.address = addresses[next++], .bytes = bytes, .writable = true});
    return call;
}

} // namespace cudabench
