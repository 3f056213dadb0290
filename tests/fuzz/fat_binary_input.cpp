#include "device_code/fat_binary.h"
#include "input.h"

namespace cudabench {

void try_input(std::span<const std::byte> bytes) {
    (void)device_code::read_fat_binaries(bytes);
    (void)device_code::read_shared_object(bytes);
}

} // namespace cudabench
