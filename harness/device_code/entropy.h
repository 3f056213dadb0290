#pragma once

#include "device_code/bit_stream.h"

#include <cstdint>
#include <span>
#include <vector>

/// Zstandard's two codes: RFC 8878, sections 4.1 and 4.2. Functions throw BrokenPack.
namespace cudabench::device_code {

/// A table of finite-state entropy: what each state stands for, and how the next one is found.
class StateTable {
public:
    /// `shares`: of each symbol, of 2^accuracy; -1 for less than one.
    StateTable(std::span<const int> shares, unsigned accuracy);
    /// Of one symbol only.
    explicit StateTable(std::uint8_t symbol) : states_{{symbol, 0, 0}} {}
    /// As it is described in front of `bytes`, of which `used` are told.
    static StateTable read(Bytes bytes, unsigned most_accuracy, std::size_t most_symbols, std::size_t& used);

    [[nodiscard]] std::uint32_t start(BackwardBits& bits) const { return bits.read(accuracy_); }
    [[nodiscard]] std::uint8_t symbol(std::uint32_t state) const { return states_[state].symbol; }
    [[nodiscard]] std::uint32_t next(std::uint32_t state, BackwardBits& bits) const {
        return states_[state].base + bits.read(states_[state].bits);
    }

private:
    struct State {
        std::uint8_t symbol = 0;
        std::uint8_t bits = 0;
        std::uint16_t base = 0;
    };
    unsigned accuracy_ = 0;
    std::vector<State> states_;
};

/// A prefix code of bytes.
class PrefixCode {
public:
    /// As it is described in front of `bytes`, of which `used` are told.
    static PrefixCode read(Bytes bytes, std::size_t& used);

    /// All that the bits say.
    void decode(Bytes bits, Unpacked& out, std::size_t size) const;

private:
    explicit PrefixCode(std::vector<std::uint8_t> weights);

    struct Entry {
        std::uint8_t symbol = 0;
        std::uint8_t bits = 0;
    };
    unsigned longest_ = 0; ///< bits
    std::vector<Entry> entries_;
};

} // namespace cudabench::device_code
