// call_directly <call.json>: what perform_call does, by the real CUDA runtime: the shared object was linked against it.
// What the call prints comes out here. Exit codes: 0 done, 1 a CUDA error, 2 the call cannot be read.
#include <cuda_runtime_api.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;
using Function = void(void* const*, const long long*, const double*);

void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error));
}

std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Function* find(const Json& call) {
    void* const module = ::dlopen(call.at("module").get<std::string>().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr)
        throw std::runtime_error(::dlerror());
    void* const function = ::dlsym(module, call.value("function", "cudabench_call").c_str());
    if (function == nullptr)
        throw std::runtime_error(::dlerror());
    return reinterpret_cast<Function*>(function);
}

void run(const Json& call) {
    Function* const function = find(call);
    const Json buffers = call.value("buffers", Json::array());
    const auto dims = call.value("dims", std::vector<long long>{});
    const auto params = call.value("params", std::vector<double>{});
    std::vector<void*> addresses;
    std::vector<std::string> contents;
    for (const Json& buffer : buffers) {
        contents.push_back(read(buffer.at("before")));
        addresses.push_back(nullptr);
        check(cudaMalloc(&addresses.back(), contents.back().size()), "cudaMalloc");
        check(cudaMemcpy(addresses.back(), contents.back().data(), contents.back().size(), cudaMemcpyHostToDevice),
              "cudaMemcpy");
    }
    function(addresses.data(), dims.data(), params.data());
    check(cudaDeviceSynchronize(), "the call");
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        check(cudaMemcpy(contents[i].data(), addresses[i], contents[i].size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
        std::ofstream(buffers[i].at("after").get<std::string>(), std::ios::binary) << contents[i];
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        run(Json::parse(read(argc > 1 ? argv[1] : "")));
    } catch (const Json::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
