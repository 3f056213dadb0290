#include "random_operation.h"

#include <array>
#include <functional>

namespace cudabench::recipe {

namespace {

using Random = std::mt19937_64;

std::uint32_t word(Random& random) {
    return static_cast<std::uint32_t>(random());
}
bool coin(Random& random) {
    return (random() & 1) != 0;
}

std::string text(Random& random) {
    std::string result(random() % 40, 'x');
    for (char& c : result)
        c = static_cast<char>(random());
    return result;
}

std::vector<std::byte> blob(Random& random) {
    std::vector<std::byte> result(random() % 40);
    for (std::byte& byte : result)
        byte = static_cast<std::byte>(random());
    return result;
}

Place place(Random& random) {
    if (coin(random))
        return Symbol{text(random), random()};
    return Address{random()};
}

Extent extent(Random& random) {
    return {word(random), word(random), word(random)};
}
Region region(Random& random) {
    return {random(), random()};
}

Operation launch(Random& random) {
    Launch result{word(random), text(random), extent(random), extent(random), word(random), coin(random), {}};
    for (auto count = random() % 5; count > 0; --count)
        result.arguments.push_back(blob(random));
    return result;
}

} // namespace

Operation random_operation(Random& random) {
    static const std::array<std::function<Operation(Random&)>, std::variant_size_v<Operation>> kinds = {
        [](Random& r) {
            return Allocate{r(), r()};
        },
        [](Random& r) { return Release{r()}; },
        [](Random& r) {
            return CreateStream{word(r), coin(r)};
        },
        launch,
        [](Random& r) {
            return Fill{word(r), place(r), r(), region(r), static_cast<std::uint8_t>(r())};
        },
        [](Random& r) {
            return CopyToDevice{word(r), place(r), r(), region(r), blob(r)};
        },
        [](Random& r) { return CopyOnDevice{word(r), place(r), place(r), r(), r(), region(r)}; },
        [](Random& r) {
            return CopyToHost{word(r), place(r), r(), region(r)};
        },
        [](Random& r) {
            return RecordEvent{word(r), word(r)};
        },
        [](Random& r) {
            return WaitEvent{word(r), word(r)};
        },
        [](Random& r) {
            return Synchronize{static_cast<Synchronize::Scope>(r() % 3), word(r)};
        },
    };
    return kinds.at(random() % kinds.size())(random);
}

} // namespace cudabench::recipe
