#include "device_code/entropy.h"

#include <bit>
#include <cstdlib>

namespace cudabench::device_code {

StateTable::StateTable(std::span<const int> shares, unsigned accuracy) : accuracy_(accuracy) {
    const std::size_t size = std::size_t{1} << accuracy;
    states_.resize(size);
    std::vector<std::uint32_t> next(shares.size());
    std::size_t end = size; // symbols of less than one share get the last states
    for (std::size_t s = 0; s < shares.size(); ++s) {
        next[s] = static_cast<std::uint32_t>(std::abs(shares[s]));
        if (shares[s] < 0)
            states_[--end].symbol = static_cast<std::uint8_t>(s);
    }
    const std::size_t step = (size >> 1) + (size >> 3) + 3;
    std::size_t position = 0;
    for (std::size_t s = 0; s < shares.size(); ++s)
        for (int i = 0; i < shares[s]; ++i) {
            states_[position].symbol = static_cast<std::uint8_t>(s);
            do
                position = (position + step) & (size - 1);
            while (position >= end && end != 0);
        }
    for (State& state : states_) {
        const std::uint32_t number = next[state.symbol]++;
        state.bits = static_cast<std::uint8_t>(accuracy + 1 - static_cast<unsigned>(std::bit_width(number)));
        state.base = static_cast<std::uint16_t>((number << state.bits) - size);
    }
}

StateTable StateTable::read(Bytes bytes, unsigned most_accuracy, std::size_t most_symbols, std::size_t& used) {
    ForwardBits bits(bytes);
    const unsigned accuracy = bits.read(4) + 5;
    if (accuracy > most_accuracy)
        throw BrokenPack("a table of too many states");
    std::vector<int> shares;
    for (int left = 1 << accuracy; left > 0;) {
        // A number from 0 to left + 1, in as few bits as that takes, or one fewer for the small ones.
        const auto most = static_cast<std::uint32_t>(left) + 1;
        const auto width = static_cast<unsigned>(std::bit_width(most));
        const std::uint32_t small = (1U << width) - 1 - most;
        std::uint32_t number = bits.look(width - 1);
        if (number < small) {
            (void)bits.read(width - 1);
        } else {
            number = bits.read(width);
            if (number >= 1U << (width - 1))
                number -= small;
        }
        const int share = static_cast<int>(number) - 1;
        shares.push_back(share);
        left -= std::abs(share);
        if (share == 0)
            for (std::uint32_t zeros = 3; zeros == 3;) {
                zeros = bits.read(2);
                shares.insert(shares.end(), zeros, 0);
            }
        if (left < 0 || shares.size() > most_symbols)
            throw BrokenPack("a table of too many shares or symbols");
    }
    used = bits.bytes_used();
    return {shares, accuracy};
}

} // namespace cudabench::device_code
