#include "executor/gpu/counters_lock.h"

#include "executor/gpu/lock_layout.h"

namespace cudabench::gpu {

CountersLock::CountersLock(const std::string& uuid) : file_(uuid) {
    file_.lock(counters, LockFile::Kind::exclusive);
}

} // namespace cudabench::gpu
