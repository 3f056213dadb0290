#include "counted_work.h"

#include "driver/graph.h"
#include "embedded/kernels.h"

namespace cudabench::counters {
namespace {

constexpr unsigned big = 1U << 26;
constexpr unsigned busy = 1U << 20;
constexpr unsigned block = 256;

} // namespace

const std::vector<CountedWork>& counted_works() {
    static const std::vector<CountedWork> works{
        {"copy", {"counted_copy"}, big / 4, {}, 4.0 * big, 4.0 * big},
        {"axpy", {"counted_axpy"}, big, {{Quantity::fp32, 2.0 * big}}, 8.0 * big, 4.0 * big},
        {"fp32", {"counted_fp32"}, busy, {{Quantity::fp32, 4.0 * 256 * busy}}, 4096, 4.0 * busy},
        {"fp64", {"counted_fp64"}, busy, {{Quantity::fp64, 3.0 * 64 * busy / 2}}, 0, 4.0 * busy},
        {"half", {"counted_half"}, busy, {{Quantity::fp16, 2.0 * 256 * busy}}, 4096, 4.0 * busy},
        {"tf32",
         {"counted_tf32"},
         busy,
         {{Quantity::tensor_tf32, 2.0 * 16 * 8 * 8 * 128 * busy / 32}},
         4096,
         4.0 * busy},
        {"half_products",
         {"counted_half_products"},
         busy,
         {{Quantity::tensor_half, 2.0 * 16 * 8 * 16 * 128 * busy / 32}},
         4096,
         4.0 * busy},
        {"atomics", {"counted_atomics"}, big, {}, 4.0 * big, 0},
        {"several",
         {"counted_axpy", "counted_fp32", "counted_axpy", "counted_tf32"},
         busy,
         {{Quantity::fp32, 2 * 2.0 * busy + 4.0 * 256 * busy},
          {Quantity::tensor_tf32, 2.0 * 16 * 8 * 8 * 128 * busy / 32}},
         8.0 * busy,
         0},
        {"transpose", {"counted_transpose"}, big / 4, {}, 4.0 * big, 4.0 * big},
        {"reduction", {"counted_reduction"}, big, {{Quantity::fp32, 5.0 * big}}, 4.0 * big, 0},
        {"graph",
         {"counted_axpy", "counted_fp64", "counted_axpy", "counted_half_products"},
         big,
         {{Quantity::fp32, 2 * 2.0 * big},
          {Quantity::fp64, 3.0 * 64 * big / 2},
          {Quantity::tensor_half, 2.0 * 16 * 8 * 16 * 128 * big / 32}},
         16.0 * big,
         16.0 * big,
         true},
    };
    return works;
}

WorkPerformer::WorkPerformer(const gpu::Device& device)
    : device_(device), library_(driver::load_library(device.driver(), embedded::kernels())),
      from_(driver::allocate(device.driver(), 4ULL * big)), to_(driver::allocate(device.driver(), 4ULL * big)) {
    device_.driver().cuMemsetD8Async(from_.get(), 0, 4ULL * big, device_.stream());
    device_.driver().cuMemsetD8Async(to_.get(), 0, 4ULL * big, device_.stream());
}

void WorkPerformer::perform(const CountedWork& work) const {
    start(work);
    device_.synchronize();
}

void WorkPerformer::perform_graph(const CountedWork& work) const {
    const driver::Driver& driver = device_.driver();
    driver.cuStreamBeginCapture(device_.stream(), CU_STREAM_CAPTURE_MODE_RELAXED);
    start(work);
    CUgraph captured = nullptr;
    driver.cuStreamEndCapture(device_.stream(), &captured);
    const driver::Graph graph(driver, captured);
    const driver::GraphExec executable = driver::instantiate(driver, graph);
    driver.cuGraphLaunch(executable.get(), device_.stream());
    device_.synchronize();
}

void WorkPerformer::start(const CountedWork& work) const {
    CUdeviceptr from = from_.get();
    CUdeviceptr to = to_.get();
    unsigned threads = work.threads;
    const std::array<void*, 3> arguments{&from, &to, &threads};
    for (const std::string& kernel : work.kernels)
        driver::launch(device_.driver(), driver::find_kernel(device_.driver(), library_, kernel.c_str()),
                       threads / block, block, device_.stream(), arguments);
}

} // namespace cudabench::counters
