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
        c = static_cast<char>('!' + random() % ('~' - '!' + 1));
    return result;
}

std::vector<std::byte> blob(Random& random) {
    std::vector<std::byte> result(1 + random() % 40);
    for (std::byte& byte : result)
        byte = static_cast<std::byte>(random());
    return result;
}

Place place(Random& random) {
    switch (random() % 3) {
    case 0: return Symbol{text(random), random()};
    case 1: return InArray{word(random), random(), random(), random()};
    default: return Address{random()};
    }
}

Extent extent(Random& random) {
    return {word(random), word(random), word(random)};
}
Region region(Random& random) {
    return {random(), random()};
}

Operation launch(Random& random) {
    Launch result{word(random), text(random), extent(random), extent(random), word(random), coin(random),
                  {},           {},           false};
    for (auto count = random() % 5; count > 0; --count)
        result.arguments.push_back(blob(random));
    result.cluster = extent(random);
    result.programmatic = coin(random);
    return result;
}

Texel texel(Random& random) {
    return {word(random), word(random)};
}

Operation array(Random& random) {
    return AllocateArray{word(random), random(), random(), random(), texel(random), word(random)};
}

Operation texture(Random& random) {
    CreateTexture result;
    result.texture = word(random);
    result.surface = coin(random);
    result.resource = static_cast<CreateTexture::Resource>(random() % 3);
    result.array = word(random);
    for (std::uint64_t* value : {&result.address, &result.width, &result.height, &result.pitch, &result.handle})
        *value = random();
    result.texel = texel(random);
    for (std::uint32_t& mode : result.address_modes)
        mode = word(random);
    for (std::uint32_t& bits : result.border)
        bits = word(random);
    for (std::uint32_t* value : {&result.filter_mode, &result.flags, &result.max_anisotropy})
        *value = word(random);
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
        array,
        texture,
    };
    return kinds.at(random() % kinds.size())(random);
}

} // namespace cudabench::recipe
