#include "runtime/modules.h"

#include <algorithm>
#include <iterator>

namespace cudabench::runtime {

Expected<void**, Failure> Modules::add(const void* container) {
    auto code = device_code::read_fat_binary_at(container);
    if (!code)
        return code.error();
    return reinterpret_cast<void**>(&code_.emplace_back(std::move(*code)));
}

const device_code::FatBinary* Modules::code(void** handle) const {
    for (const auto& known : code_)
        if (static_cast<const void*>(&known) == handle)
            return &known;
    return nullptr;
}

void Modules::add_kernel(void** handle, const void* host_function, const char* name,
                         std::uint32_t default_shared_bytes) {
    const auto* binary = code(handle);
    const auto* kernel = binary ? binary->kernel(name) : nullptr;
    if (!kernel)
        return;
    RegisteredKernel registered{.code = *kernel, .ptx_architecture = kernel->architecture};
    for (const auto& ptx : binary->ptx)
        registered.ptx_architecture = ptx.architecture;
    registered.max_dynamic_shared = default_shared_bytes - std::min(default_shared_bytes, kernel->static_shared_bytes);
    kernels_[host_function] = std::move(registered);
}

void Modules::add_variable(void** handle, const void* host_variable, const char* name) {
    const auto* binary = code(handle);
    if (const auto* variable = binary ? binary->variable(name) : nullptr)
        variables_[host_variable] = *variable;
}

void Modules::add_managed(void** handle, void** host_pointer, const char* name) {
    const auto* binary = code(handle);
    if (const auto* variable = binary ? binary->variable(name) : nullptr) {
        managed_.push_back({handle, host_pointer, *variable});
        variables_[static_cast<const void*>(host_pointer)] = *variable;
    }
}

std::vector<Modules::Managed> Modules::take_managed(void** handle) {
    std::vector<Managed> taken;
    std::copy_if(managed_.begin(), managed_.end(), std::back_inserter(taken),
                 [&](const Managed& managed) { return managed.handle == handle; });
    std::erase_if(managed_, [&](const Managed& managed) { return managed.handle == handle; });
    return taken;
}

RegisteredKernel* Modules::kernel(const void* host_function) {
    const auto found = kernels_.find(host_function);
    return found == kernels_.end() ? nullptr : &found->second;
}

const device_code::Variable* Modules::variable(const void* host_variable) const {
    const auto found = variables_.find(host_variable);
    return found == variables_.end() ? nullptr : &found->second;
}

} // namespace cudabench::runtime
