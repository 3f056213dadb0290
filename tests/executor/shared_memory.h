#pragma once

#include <new>
#include <sys/mman.h>

namespace cudabench::gpu {

/// A value that processes forked later see too.
template <typename Value> class SharedMemory {
public:
    SharedMemory() {
        void* const pages = ::mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED)
            throw std::bad_alloc();
        value_ = new (pages) Value{};
    }
    ~SharedMemory() { ::munmap(value_, sizeof(Value)); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    Value& operator*() const { return *value_; }
    Value* operator->() const { return value_; }

private:
    Value* value_;
};

} // namespace cudabench::gpu
