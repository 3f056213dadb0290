#include "executor/cpu/shadow.h"

#include <algorithm>
#include <new>

namespace cudabench::cpu {
namespace {

constexpr std::uint64_t word_bits = 64;

/// The bits of one word from `first` on.
std::uint64_t mask(std::uint64_t first, std::uint64_t number) {
    const std::uint64_t all = number >= word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << number) - 1;
    return all << first;
}

/// Calls `work(word, mask)` for the words of a range of bits, until it returns false.
template <typename Work> bool each_word(std::uint64_t first, std::uint64_t number, Work work) {
    while (number != 0) {
        const std::uint64_t within = first % word_bits;
        const std::uint64_t here = std::min(number, word_bits - within);
        if (!work(first / word_bits, mask(within, here)))
            return false;
        first += here;
        number -= here;
    }
    return true;
}

} // namespace

Marks::Marks(std::uint64_t bits)
    : words_((bits + word_bits - 1) / word_bits), bits_(std::make_unique<std::uint64_t[]>(words_)) {}

bool Marks::set(std::uint64_t bit) {
    std::uint64_t& word = bits_[bit / word_bits];
    const std::uint64_t one = std::uint64_t{1} << (bit % word_bits);
    if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & one) != 0)
        return false;
    return (__atomic_fetch_or(&word, one, __ATOMIC_RELAXED) & one) == 0;
}

void Marks::set_range(std::uint64_t first, std::uint64_t number) {
    each_word(first, number, [this](std::uint64_t word, std::uint64_t bits) {
        if ((__atomic_load_n(&bits_[word], __ATOMIC_RELAXED) & bits) != bits)
            __atomic_fetch_or(&bits_[word], bits, __ATOMIC_RELAXED);
        return true;
    });
}

bool Marks::is_set(std::uint64_t bit) const {
    return all_set(bit, 1);
}

bool Marks::all_set(std::uint64_t first, std::uint64_t number) const {
    return each_word(first, number, [this](std::uint64_t word, std::uint64_t bits) {
        return (__atomic_load_n(&bits_[word], __ATOMIC_RELAXED) & bits) == bits;
    });
}

void Marks::clear() {
    std::fill_n(bits_.get(), words_, 0);
}

RaceCell::Touch RaceCell::load(const std::uint64_t& field) {
    const std::uint64_t bits = __atomic_load_n(&field, __ATOMIC_RELAXED);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

void RaceCell::store(std::uint64_t& field, const Touch& touch) {
    __atomic_store_n(&field, std::uint64_t{touch.who} | std::uint64_t{touch.when} << 32, __ATOMIC_RELAXED);
}

RaceCells::RaceCells(std::uint64_t bytes)
    : cells_(static_cast<RaceCell*>(std::calloc(bytes / 4 + 2, sizeof(RaceCell)))) {
    if (cells_ == nullptr)
        throw std::bad_alloc();
}

Shadow::Shadow(recipe::Address begin_, std::uint64_t bytes, bool defined, bool with_races)
    : begin(begin_), read_sectors(bytes / sector_bytes + 2), written_sectors(bytes / sector_bytes + 2),
      written(defined ? nullptr : std::make_unique<Marks>(bytes)),
      races(with_races ? std::make_unique<RaceCells>(bytes) : nullptr) {}

} // namespace cudabench::cpu
