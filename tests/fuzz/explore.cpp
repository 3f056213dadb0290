#include "input.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

// explore <corpus> [<seconds> [<seed>]]: tries every input of a folder; then, for so many seconds, changes of them, and
// keeps in the folder those that reach code which none has reached before. Inputs under test are compiled with
// -fsanitize-coverage=trace-pc and the sanitisers, which end the program at a wrong access; an input that takes more
// than ten seconds ends it too. It is then in the file `last` beside the corpus.

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t most_bytes = 16'384;
constexpr unsigned most_seconds = 10;
constexpr std::size_t edges = 1 << 16;

std::array<std::uint8_t, edges> hits; ///< of this input, by edge
std::array<std::uint8_t, edges> seen; ///< of all, as bits for orders of magnitude
std::uintptr_t previous = 0;

/// Orders of magnitude of how often an edge was taken.
std::uint8_t magnitude(std::uint8_t count) {
    return static_cast<std::uint8_t>(count == 0    ? 0
                                     : count < 4   ? 1U << (count - 1)
                                     : count < 16  ? 8
                                     : count < 128 ? 16
                                                   : 32);
}

Bytes read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> all(std::istreambuf_iterator<char>(in), {});
    Bytes bytes(all.size());
    if (!all.empty())
        std::memcpy(bytes.data(), all.data(), all.size());
    return bytes;
}

void write_file(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Whether the input reaches something new.
bool try_one(const Bytes& bytes) {
    hits.fill(0);
    previous = 0;
    ::alarm(most_seconds);
    cudabench::try_input(bytes);
    ::alarm(0);
    bool fresh = false;
    for (std::size_t i = 0; i < edges; ++i) {
        const std::uint8_t bit = magnitude(hits[i]);
        fresh = fresh || (bit & ~seen[i]) != 0;
        seen[i] |= bit;
    }
    return fresh;
}

class Changer {
public:
    explicit Changer(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t end) { return random_() % std::max<std::size_t>(end, 1); }

    Bytes change(Bytes bytes, const Bytes& other) {
        for (std::size_t count = 1 + below(6); count > 0; --count)
            change_once(bytes, other);
        if (bytes.size() > most_bytes)
            bytes.resize(most_bytes);
        return bytes;
    }

private:
    void change_once(Bytes& bytes, const Bytes& other) {
        constexpr std::array<std::uint8_t, 10> telling = {0, 1, 0x7F, 0x80, 0xFF, '{', '"', '.', ';', '0'};
        const std::size_t at = below(bytes.size());
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at, bytes.size()));
        const std::size_t length =
            std::min(1 + below(below(4) == 0 ? 256 : 16), bytes.size() - std::min(at, bytes.size()));
        switch (bytes.empty() ? 3 : below(7)) {
        case 0: bytes[at] = static_cast<std::byte>(random_()); break;
        case 1: bytes[at] = static_cast<std::byte>(telling[below(telling.size())]); break;
        case 2: bytes.erase(place, place + static_cast<std::ptrdiff_t>(length)); break;
        case 3: insert(bytes, at, other); break;
        case 4: insert(bytes, at, Bytes(bytes)); break;
        case 5: bytes[at] ^= static_cast<std::byte>(1U << below(8)); break;
        default: // a number of up to 8 bytes
            for (std::size_t i = at; i < std::min(at + (std::size_t{1} << below(4)), bytes.size()); ++i)
                bytes[i] = static_cast<std::byte>(telling[below(5)]);
        }
    }

    void insert(Bytes& bytes, std::size_t at, const Bytes& other) {
        if (other.empty())
            return;
        const std::size_t from = below(other.size());
        const std::size_t length = std::min(1 + below(64), other.size() - from);
        const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at, bytes.size())), first,
                     first + static_cast<std::ptrdiff_t>(length));
    }

    std::mt19937_64 random_;
};

std::string name_of(const Bytes& bytes) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const std::byte byte : bytes)
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

} // namespace

extern "C" void __sanitizer_cov_trace_pc() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    std::uint8_t& count = hits[(here ^ previous) % edges];
    count = static_cast<std::uint8_t>(count == 255 ? 255 : count + 1);
    previous = here >> 1;
}

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4)
        return 2;
    const std::filesystem::path folder = argv[1];
    std::vector<Bytes> corpus;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const auto& path : paths) {
        corpus.push_back(read_file(path));
        (void)try_one(corpus.back());
    }
    std::printf("%zu inputs tried\n", corpus.size());
    if (argc == 2)
        return corpus.empty() ? 1 : 0;

    Changer changer(argc == 4 ? std::stoull(argv[3]) : 1);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::stoul(argv[2]));
    std::uint64_t tried = 0;
    if (corpus.empty())
        corpus.emplace_back();
    const std::filesystem::path last = folder.parent_path() / (folder.filename().string() + ".last");
    while (std::chrono::steady_clock::now() < end) {
        // The latest are the least known.
        const std::size_t recent = std::min<std::size_t>(corpus.size(), 50);
        const std::size_t pick =
            changer.below(2) == 0 ? corpus.size() - 1 - changer.below(recent) : changer.below(corpus.size());
        const Bytes input = changer.change(corpus[pick], corpus[changer.below(corpus.size())]);
        write_file(last, input);
        ++tried;
        if (!try_one(input))
            continue;
        corpus.push_back(input);
        write_file(folder / name_of(input), input);
    }
    std::filesystem::remove(last);
    std::printf("%llu changed inputs tried, %zu kept\n", static_cast<unsigned long long>(tried), corpus.size());
    return 0;
}
