#include "recipe/operation.h"

#include <algorithm>

namespace cudabench::recipe {

bool Recipe::host_dependent() const {
    return std::any_of(operations.begin(), operations.end(),
                       [](const Operation& operation) { return std::holds_alternative<CopyToHost>(operation); });
}

} // namespace cudabench::recipe
