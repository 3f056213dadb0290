#include "executor/cpu/registers.h"

#include "executor/cpu/instruction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <queue>
#include <string_view>

namespace cudabench::cpu {
namespace {

using Kind = ptx::Operand::Kind;

// Forged code could ask for any memory and time. Large honest functions need a hundredth.
constexpr std::uint64_t most_marks = std::uint64_t{1} << 31; ///< registers x basic blocks
constexpr std::uint64_t most_looks = std::uint64_t{1} << 38; ///< at one of them

/// A set of registers.
class Bits {
public:
    Bits(std::size_t size = 0) : words_((size + 63) / 64) {}
    void set(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    [[nodiscard]] bool test(std::uint32_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
    /// Adds the others but those of `except`. Whether that changed anything.
    bool add(const Bits& others, const Bits& except) {
        bool changed = false;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::uint64_t word = words_[i] | (others.words_[i] & ~except.words_[i]);
            changed = changed || word != words_[i];
            words_[i] = word;
        }
        return changed;
    }
    template <typename Work> void each(Work work) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
                work(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }

private:
    std::vector<std::uint64_t> words_;
};

/// Instructions that only read their operands.
bool writes_nothing(const ptx::Instruction& instruction) {
    constexpr std::array only_read = {
        std::string_view("st"),           std::string_view("red"),      std::string_view("bra"),
        std::string_view("brx"),          std::string_view("membar"),   std::string_view("fence"),
        std::string_view("cp"),           std::string_view("prefetch"), std::string_view("ret"),
        std::string_view("exit"),         std::string_view("trap"),     std::string_view("nanosleep"),
        std::string_view("stmatrix"),     std::string_view("discard"),  std::string_view("prefetchu"),
        std::string_view("applypriority")};
    if (std::ranges::find(only_read, instruction.opcode) != only_read.end())
        return true;
    const auto has = [&](std::string_view modifier) {
        return std::ranges::find(instruction.modifiers, modifier) != instruction.modifiers.end();
    };
    if (instruction.opcode == "bar" || instruction.opcode == "barrier")
        return !has("red");
    if (instruction.opcode == "wmma")
        return has("store");
    if (instruction.opcode == "call")
        return instruction.operands.empty() || instruction.operands.front().kind != Kind::list ||
               instruction.operands.size() == 1;
    return false;
}

template <typename Work> void each_register(const ptx::Operand& operand, Work work) {
    if (operand.kind == Kind::reg)
        work(operand.index);
    for (const ptx::Operand& part : operand.parts)
        each_register(part, work);
}

template <typename Work> void each_written(const ptx::Instruction& instruction, Work work) {
    if (!instruction.operands.empty() && !writes_nothing(instruction) &&
        instruction.operands.front().kind != Kind::address)
        each_register(instruction.operands.front(), work);
}

template <typename Work> void each_read(const ptx::Instruction& instruction, Work work) {
    const bool nothing_written = writes_nothing(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        if (i > 0 || nothing_written || instruction.operands[i].kind == Kind::address)
            each_register(instruction.operands[i], work);
    if (instruction.guarded)
        work(instruction.guard);
}

struct BasicBlock {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::vector<std::uint32_t> successors;
    Bits read_first; ///< before anything of the block writes it
    Bits written;    ///< for all lanes that run it
    Bits live_in;
    Bits live_out;
};

bool ends_block(const ptx::Instruction& instruction) {
    return instruction.opcode == "bra" || instruction.opcode == "brx" || instruction.opcode == "ret" ||
           instruction.opcode == "exit" || instruction.opcode == "trap";
}

/// Labels that an instruction may branch to.
std::vector<std::uint32_t> targets(const ptx::Function& function, const ptx::Instruction& instruction) {
    std::vector<std::uint32_t> found;
    if (instruction.opcode == "bra" && !instruction.operands.empty())
        found.push_back(instruction.operands.back().index);
    if (instruction.opcode == "brx" && instruction.operands.size() == 2 &&
        instruction.operands[1].index < function.branch_targets.size())
        for (const ptx::Operand& target : function.branch_targets[instruction.operands[1].index])
            found.push_back(target.index);
    return found;
}

std::vector<BasicBlock> basic_blocks(const ptx::Function& function) {
    const auto size = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> starts(size + 1, false);
    starts[0] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
        for (const std::uint32_t target : targets(function, function.instructions[i]))
            starts[std::min(target, size)] = true;
        if (ends_block(function.instructions[i]))
            starts[i + 1] = true;
    }
    std::vector<BasicBlock> blocks;
    std::vector<std::uint32_t> block_at(size + 1, 0);
    for (std::uint32_t i = 0; i < size; ++i) {
        if (starts[i])
            blocks.push_back({i, i, {}, {}, {}, {}, {}});
        blocks.back().end = i + 1;
        block_at[i] = static_cast<std::uint32_t>(blocks.size() - 1);
    }
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        const ptx::Instruction& last = function.instructions[blocks[b].end - 1];
        for (const std::uint32_t target : targets(function, last))
            if (target < size)
                blocks[b].successors.push_back(block_at[target]);
        if ((last.guarded || !ends_block(last)) && b + 1 < blocks.size())
            blocks[b].successors.push_back(b + 1);
    }
    return blocks;
}

/// From its first to its last instruction, both included.
struct Interval {
    std::uint32_t reg = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool used = false;
};

std::vector<Interval> live_intervals(const ptx::Function& function) {
    const std::size_t registers = function.registers.size();
    std::vector<BasicBlock> blocks = function.instructions.empty() ? std::vector<BasicBlock>{} : basic_blocks(function);
    const std::uint64_t marks = registers * blocks.size();
    std::uint64_t looks = 0;
    const auto look_at_all = [&] {
        if (marks > most_marks || (looks += marks) > most_looks)
            throw Unsupported("a function of too many registers and branches");
    };
    look_at_all();
    for (BasicBlock& block : blocks) {
        block.read_first = block.written = block.live_in = block.live_out = Bits(registers);
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            const ptx::Instruction& instruction = function.instructions[i];
            each_read(instruction, [&](std::uint32_t reg) {
                if (!block.written.test(reg))
                    block.read_first.set(reg);
            });
            if (!instruction.guarded)
                each_written(instruction, [&](std::uint32_t reg) { block.written.set(reg); });
        }
    }
    const Bits nothing(registers);
    for (bool changed = true; changed;) {
        changed = false;
        look_at_all();
        for (std::size_t b = blocks.size(); b-- > 0;) {
            BasicBlock& block = blocks[b];
            for (const std::uint32_t successor : block.successors)
                block.live_out.add(blocks[successor].live_in, nothing);
            changed = block.live_in.add(block.read_first, nothing) || changed;
            changed = block.live_in.add(block.live_out, block.written) || changed;
        }
    }
    std::vector<Interval> intervals(registers);
    const auto touch = [&](std::uint32_t reg, std::uint32_t at) {
        Interval& interval = intervals[reg];
        interval.first = interval.used ? std::min(interval.first, at) : at;
        interval.last = interval.used ? std::max(interval.last, at) : at;
        interval.used = true;
    };
    for (const BasicBlock& block : blocks) {
        block.live_in.each([&](std::uint32_t reg) { touch(reg, block.begin); });
        block.live_out.each([&](std::uint32_t reg) { touch(reg, block.end - 1); });
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            each_read(function.instructions[i], [&](std::uint32_t reg) { touch(reg, i); });
            each_written(function.instructions[i], [&](std::uint32_t reg) { touch(reg, i); });
        }
    }
    for (std::uint32_t reg = 0; reg < registers; ++reg)
        intervals[reg].reg = reg;
    return intervals;
}

/// Linear scan: places of one size, given back when an interval ends.
class Pool {
public:
    /// The number of a place that is free from `first` on.
    std::uint32_t take(std::uint32_t first, std::uint32_t last) {
        while (!busy_.empty() && busy_.top().first < first) {
            free_.push_back(busy_.top().second);
            busy_.pop();
        }
        std::uint32_t place = size_;
        if (free_.empty()) {
            ++size_;
        } else {
            place = free_.back();
            free_.pop_back();
        }
        busy_.emplace(last, place);
        return place;
    }
    [[nodiscard]] std::uint32_t size() const { return size_; }

private:
    using Busy = std::pair<std::uint32_t, std::uint32_t>; ///< until when, place
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
    std::vector<std::uint32_t> free_;
    std::uint32_t size_ = 0;
};

} // namespace

std::uint32_t lane_bytes(ptx::Type type) {
    return type == ptx::Type::pred ? 0 : std::max<std::uint32_t>(2, ptx::bytes(type));
}

RegisterPlaces place_registers(const ptx::Function& function) {
    std::vector<Interval> intervals = live_intervals(function);
    std::ranges::sort(intervals, {}, &Interval::first);
    std::map<std::uint32_t, Pool> pools; // by bytes of a lane
    std::vector<std::uint32_t> numbers(intervals.size());
    for (const Interval& interval : intervals)
        if (interval.used)
            numbers[interval.reg] =
                pools[lane_bytes(function.registers[interval.reg].type)].take(interval.first, interval.last);

    RegisterPlaces result;
    result.places.resize(intervals.size());
    std::map<std::uint32_t, std::uint32_t> offsets;
    for (const auto& [lane, pool] : pools) {
        offsets[lane] = result.bytes;
        const std::uint32_t unit = lane == 0 ? std::uint32_t{sizeof(Lanes)} : lane * warp_size;
        result.bytes += (pool.size() * unit + 63) / 64 * 64;
    }
    for (const Interval& interval : intervals) {
        const std::uint32_t lane = lane_bytes(function.registers[interval.reg].type);
        const std::uint32_t unit = lane == 0 ? std::uint32_t{sizeof(Lanes)} : lane * warp_size;
        result.places[interval.reg] = {Place::Area::frame, offsets[lane] + numbers[interval.reg] * unit};
    }
    return result;
}

} // namespace cudabench::cpu
