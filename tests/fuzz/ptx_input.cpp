#include "input.h"
#include "ptx/parser.h"

#include <string_view>

namespace cudabench {

void try_input(std::span<const std::byte> bytes) {
    (void)ptx::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

} // namespace cudabench
