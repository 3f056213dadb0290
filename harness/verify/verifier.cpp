#include "verify/verifier.h"

#include "embedded/compare_kernel.h"
#include "inputs/with_type.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cudabench::verify {

Verifier::Verifier(const driver::Driver& driver, CUstream stream)
    : driver_(driver), stream_(stream), library_(driver::load_library(driver, embedded::compare_kernel())),
      answer_(driver::allocate(driver, sizeof(Tally))),
      compare_(driver::find_kernel(driver, library_, "cudabench_compare")) {}

Comparison Verifier::compare(const Bound& bound, const DeviceOutputs& outputs) const {
    Comparison comparison;
    comparison.total = outputs.elements;
    comparison.rms_limit = bound.rms_limit;
    if (outputs.elements == 0) {
        return comparison;
    }
    Tally tally = gather(bound, outputs, 0);
    comparison.mismatches = tally.mismatches;
    comparison.unwritten = tally.unwritten;
    comparison.worst_ratio = tally.worst_ratio;
    comparison.rms = std::sqrt(tally.sum_of_squares / static_cast<double>(outputs.elements));
    while (tally.first != Tally::none) {
        comparison.first.push_back(difference(bound, outputs, tally.first));
        if (comparison.first.size() == Comparison::listed) {
            break;
        }
        tally = gather(bound, outputs, tally.first + 1);
    }
    return comparison;
}

/// Of the elements from `from` on.
Tally Verifier::gather(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t from) const {
    Tally tally;
    write(std::as_bytes(std::span(&tally, 1)));
    Bound bound_argument = bound;
    DeviceOutputs argument = outputs;
    CUdeviceptr answer = answer_.get();
    const std::array<void*, 7> arguments{
        &bound_argument, &argument.got, &argument.expected, &argument.magnitude, &argument.elements, &from, &answer};
    constexpr unsigned threads = 256;
    constexpr std::uint64_t most_blocks = 4096;
    const auto blocks = static_cast<unsigned>(std::min((outputs.elements + threads - 1) / threads, most_blocks));
    driver::launch(driver_, compare_, blocks, threads, stream_, arguments);
    read(answer, std::as_writable_bytes(std::span(&tally, 1)));
    return tally;
}

/// The three values are copied, so that the host's own judgement gives the numbers.
Difference Verifier::difference(const Bound& bound, const DeviceOutputs& outputs, std::uint64_t index) const {
    const std::size_t bytes = with_type(bound.dtype, [](auto zero) { return sizeof zero; });
    std::array<std::array<std::byte, sizeof(double)>, 3> values{};
    const auto fetch = [&](std::size_t slot, CUdeviceptr array) {
        const std::span<std::byte> value = std::span(values[slot]).first(bytes);
        read(array + index * bytes, value);
        return value;
    };
    Outputs element{fetch(0, outputs.got), fetch(1, outputs.expected), {}};
    if (outputs.magnitude != 0) {
        element.magnitude = fetch(2, outputs.magnitude);
    }
    return difference_on_host(bound, element, index);
}

void Verifier::read(CUdeviceptr address, std::span<std::byte> destination) const {
    driver_.cuMemcpyDtoHAsync(destination.data(), address, destination.size(), stream_);
    driver_.cuStreamSynchronize(stream_);
}

/// Pageable memory is copied before the call returns.
void Verifier::write(std::span<const std::byte> answer) const {
    driver_.cuMemcpyHtoDAsync(answer_.get(), answer.data(), answer.size(), stream_);
}

} // namespace cudabench::verify
