#include "runtime/allocation.h"

#include <algorithm>
#include <bit>
#include <csignal>
#include <string>

/// Managed and page-locked memory: at one address for host code and for kernels.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

struct sigaction& earlier_action() {
    static struct sigaction action {};
    return action;
}

void on_fault(int signal, siginfo_t* info, void* context) {
    if (info->si_code == SEGV_ACCERR) {
        const std::lock_guard lock(recording_lock());
        if (recording().shared.fault(std::bit_cast<recipe::Address>(info->si_addr)))
            return;
    }
    const struct sigaction& earlier = earlier_action();
    if ((earlier.sa_flags & SA_SIGINFO) != 0)
        return earlier.sa_sigaction(signal, info, context);
    ::signal(signal, SIG_DFL); // the access is tried again
}

/// Before the first page is protected, so that host code without shared memory keeps its signals.
void watch_faults() {
    static bool watching = false;
    if (watching)
        return;
    watching = true;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &earlier_action());
}

/// Device memory whose address is host code's too.
cudaError_t allocate_shared(Recording& r, void** pointer, std::size_t bytes, SharedMemory::Kind kind) {
    if (const auto error = allocate(r, pointer, bytes); error != cudaSuccess || !*pointer)
        return error;
    watch_faults();
    const auto address = std::bit_cast<recipe::Address>(*pointer);
    if (!r.shared.add(address, bytes, kind, {{.offset = 0, .bytes = bytes, .place = address}}))
        return r.refuse(cudaErrorMemoryAllocation, "shared memory at an address that host code uses already");
    return cudaSuccess;
}

cudaError_t allocate_host(Recording& r, void** pointer, std::size_t bytes, unsigned flags) {
    if (const auto error = allocate_shared(r, pointer, bytes, SharedMemory::Kind::pinned);
        error != cudaSuccess || !*pointer)
        return error;
    r.host_memory[*pointer] = flags;
    return cudaSuccess;
}

cudaError_t for_managed(const void* pointer, std::size_t bytes, const char* what) {
    return answer([&](Recording& r) {
        const auto address = std::bit_cast<recipe::Address>(pointer);
        const auto piece = r.memory.find(address);
        return piece && bytes <= piece->bytes_after && r.shared.kind_at(address)
                   ? cudaSuccess
                   : r.refuse(cudaErrorInvalidValue, std::string(what) + " of what is not managed memory");
    });
}

} // namespace

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return answer([&](Recording& r) {
        if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
            return cudaErrorInvalidValue;
        return allocate_shared(r, pointer, bytes, SharedMemory::Kind::managed);
    });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return answer([&](Recording& r) { return allocate_host(r, pointer, bytes, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    return answer([&](Recording& r) { return allocate_host(r, pointer, bytes, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
    return answer([&](Recording& r) {
        if (!pointer)
            return cudaSuccess;
        const auto address = std::bit_cast<recipe::Address>(pointer);
        if (r.host_memory.erase(pointer) == 0 || !r.memory.release(address))
            return r.refuse(cudaErrorInvalidValue, "cudaFreeHost of what cudaMallocHost did not return");
        r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::device, 0});
        r.shared.remove(address, SharedMemory::Kind::pinned);
        r.link.operation(recipe::Release{address});
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    return answer([&](Recording& r) {
        const auto address = std::bit_cast<recipe::Address>(host);
        const auto registered = r.registered.upper_bound(host);
        if (registered != r.registered.begin() &&
            address - std::bit_cast<recipe::Address>(std::prev(registered)->first) < std::prev(registered)->second)
            r.link.unsupported("cudaHostGetDevicePointer of memory that was registered");
        if (!device || !r.shared.kind_at(address))
            return r.refuse(cudaErrorInvalidValue, "the device's pointer to what is not page-locked");
        r.shared.give_to_kernels(address);
        *device = host;
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
    return answer([&](Recording& r) {
        const auto found = r.host_memory.find(pointer);
        if (!flags || found == r.host_memory.end())
            return cudaErrorInvalidValue;
        *flags = found->second;
        return cudaSuccess;
    });
}

// Registered memory is copied as any other: that it is page-locked changes only how fast.
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
    return answer([&](Recording& r) {
        if (!pointer || bytes == 0)
            return cudaErrorInvalidValue;
        return r.registered.emplace(pointer, bytes).second ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return answer([&](Recording& r) {
        return r.registered.erase(pointer) == 1 ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
    });
}

// Where managed memory lies is the executor's business; it moves when it is used.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned, cudaStream_t) {
    return for_managed(pointer, bytes, "prefetch");
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
    return for_managed(pointer, bytes, "advice");
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t bytes, unsigned) {
    return for_managed(pointer, bytes, "attachment");
}

/// Called by host code before it first touches a variable of __managed__ memory.
char __cudaInitModule(void** handle) {
    constexpr std::uint64_t page = 4096;
    const std::lock_guard lock(recording_lock());
    Recording& r = recording();
    auto pending = r.modules.take_managed(handle);
    std::vector<std::pair<recipe::Address, Modules::Managed>> placed;
    for (auto& managed : pending) {
        const auto address = r.ask_number(recipe::SymbolAddress{managed.variable.name});
        if (!address)
            r.link.unsupported("__managed__ " + managed.variable.name);
        r.memory.add_variable(*address, managed.variable.name, managed.variable.bytes);
        *managed.host_pointer = std::bit_cast<void*>(*address);
        placed.emplace_back(*address, managed);
    }
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    watch_faults();
    // Variables whose pages touch make one block.
    for (std::size_t i = 0; i < placed.size();) {
        const recipe::Address begin = placed[i].first / page * page;
        recipe::Address end = begin;
        std::vector<SharedMemory::Part> parts;
        for (; i < placed.size() && (parts.empty() || placed[i].first < end); ++i) {
            const auto& [address, managed] = placed[i];
            const std::uint64_t bytes = managed.variable.bytes;
            parts.push_back({address - begin, bytes, recipe::Symbol{managed.variable.name, 0}});
            end = std::max(end, (address + bytes + page - 1) / page * page);
        }
        if (!r.shared.add(begin, end - begin, SharedMemory::Kind::managed, std::move(parts)))
            r.link.unsupported("__managed__ memory at an address that host code uses already");
    }
    // The device has the values that variables start with.
    for (const auto& [address, managed] : placed)
        if (managed.variable.initial)
            r.shared.written(address, managed.variable.bytes);
    return 0;
}
