#include "executor/cpu/decode.h"

#include "executor/cpu/instruction.h"
#include "executor/cpu/registers.h"
#include "executor/cpu/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace cudabench::cpu {
namespace {

using Kind = ptx::Operand::Kind;

/// Of local memory for functions that call themselves or through pointers, a thread.
constexpr std::uint32_t open_ended_stack = 16 << 10;
constexpr std::uint32_t lane_alignment = 16;
// Compilers make nothing beyond these, but device code can be forged. Offsets of places and of memory fit below them.
constexpr std::uint64_t most_frame_bytes = std::uint64_t{64} << 20;  ///< of a warp
constexpr std::uint64_t most_local_bytes = std::uint64_t{512} << 10; ///< of a thread, as on GPUs
constexpr std::uint64_t most_shared_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t most_parameter_bytes = std::uint64_t{64} << 10; ///< one, and all of a kernel
constexpr std::uint64_t most_constant_bytes = std::uint64_t{256} << 20;
constexpr std::uint32_t deepest_chain = 4096; ///< of functions that call one another
/// At the start of every frame, for results that nobody wants.
constexpr std::uint32_t sink_bytes = 16 * warp_size;

std::uint32_t round_up(std::uint64_t value, std::uint64_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

void limit(std::uint64_t bytes, std::uint64_t most, std::string_view what) {
    if (bytes > most)
        throw Unsupported(fmt::format("{} bytes of {}; {} are possible", bytes, what, most));
}

template <typename Work> void each_operand(const ptx::Operand& operand, Work work) {
    work(operand);
    for (const ptx::Operand& part : operand.parts)
        each_operand(part, work);
}

template <typename Work> void each_operand(const ptx::Function& function, Work work) {
    for (const ptx::Instruction& instruction : function.instructions)
        for (const ptx::Operand& operand : instruction.operands)
            each_operand(operand, work);
}

/// All of a kernel's functions: which there are, where their shared variables lie.
class KernelDecoder {
public:
    KernelDecoder(const Linkage& linkage, const ptx::Function& kernel) : linkage_(linkage) {
        code_.sink = {Place::Area::frame, 0};
        collect(kernel);
        place_shared();
        place_parameters(kernel);
        code_.max_threads = kernel.max_threads;
        code_.cluster_blocks = kernel.cluster_blocks;
    }

    Code decode();

private:
    friend class FunctionDecoder;
    struct Constants {
        std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, Place> places;
        std::vector<std::byte> bytes;
    };

    void collect(const ptx::Function& kernel);
    void place_shared();
    void place_parameters(const ptx::Function& kernel);
    void measure_stack();
    Place constant(std::uint64_t low, std::uint64_t high, std::uint32_t bytes);
    [[nodiscard]] std::uint32_t callee(std::string_view name) const;

    const Linkage& linkage_;
    Code code_;
    std::vector<const ptx::Function*> functions_;       ///< in the order of Code::functions
    std::map<std::string_view, std::uint32_t> indices_; ///< of these, by name
    std::map<const void*, std::uint32_t> shared_;       ///< offsets, by variable
    std::vector<std::set<std::uint32_t>> calls_;        ///< by function
    bool indirect_ = false;
    Constants constants_;
};

/// One function: the meaning of its names, its steps.
class FunctionDecoder : public Names {
public:
    FunctionDecoder(KernelDecoder& kernel, std::uint32_t index);

    void lay_out();
    void decode();

    Place register_place(std::uint32_t index) const override {
        const Place place = registers_.places.at(index);
        return {Place::Area::frame, place.offset() + sink_bytes};
    }
    ptx::Type register_type(std::uint32_t index) const override { return function_.registers.at(index).type; }
    Place constant(std::uint64_t low, std::uint64_t high, std::uint32_t bytes) override {
        return kernel_.constant(low, high, bytes);
    }
    const ptx::Variable& variable(std::uint32_t index) const override { return function_.variables.at(index); }
    std::uint64_t variable_offset(std::uint32_t index) const override;
    const Passed* passed(std::uint32_t index) const override {
        const auto found = passed_.find(index);
        return found == passed_.end() ? nullptr : &found->second;
    }
    std::uint64_t symbol_value(std::string_view name) const override;
    bool is_shared_symbol(std::string_view name) const override {
        const ptx::Variable* const variable = kernel_.linkage_.variable(name);
        return variable != nullptr && variable->space == ptx::Space::shared;
    }
    bool in_kernel() const override { return function_.entry; }
    const std::vector<ptx::Operand>& branch_targets(std::uint32_t index) const override {
        return function_.branch_targets.at(index);
    }
    std::uint32_t callee(std::string_view name) override {
        const std::uint32_t found = kernel_.callee(name);
        kernel_.calls_[index_].insert(found);
        return found;
    }
    Code& code() override { return kernel_.code_; }

private:
    void decode(const ptx::Instruction& parsed);
    void note_cost(const ptx::Instruction& parsed);
    void resolve_targets();

    KernelDecoder& kernel_;
    std::uint32_t index_;
    const ptx::Function& function_;
    RegisterPlaces registers_;
    std::map<std::uint32_t, Passed> passed_;        ///< by variable
    std::map<std::uint32_t, std::uint32_t> locals_; ///< offsets in the local frame, by variable
    std::vector<std::uint32_t> first_step_;         ///< of each instruction, and the end
    std::uint32_t tables_before_ = 0;
};

FunctionDecoder::FunctionDecoder(KernelDecoder& kernel, std::uint32_t index)
    : kernel_(kernel), index_(index), function_(*kernel.functions_.at(index)), registers_(place_registers(function_)) {}

/// Frame: the sink, registers, parameters and what is passed to others.
void FunctionDecoder::lay_out() {
    Callable& callable = kernel_.code_.functions[index_];
    callable.name = function_.name;
    callable.address_index = kernel_.linkage_.function(function_.name).value_or(0);
    std::uint32_t frame = sink_bytes + registers_.bytes;
    limit(frame, most_frame_bytes, "registers of a warp");
    std::uint32_t local = 0;
    const std::size_t parameters = function_.parameters.size();
    for (std::uint32_t i = 0; i < function_.variables.size(); ++i) {
        const ptx::Variable& variable = function_.variables[i];
        if (variable.space == ptx::Space::local) {
            limit(variable.bytes, most_local_bytes, "local memory");
            local = round_up(local, variable.alignment);
            locals_[i] = local;
            local += static_cast<std::uint32_t>(variable.bytes);
            limit(local, most_local_bytes, "local memory");
        }
        if (variable.space != ptx::Space::param || (function_.entry && i < parameters))
            continue;
        limit(variable.bytes, most_parameter_bytes, "a parameter");
        const std::uint32_t stride = round_up(variable.bytes, lane_alignment);
        passed_[i] = {{Place::Area::frame, frame}, static_cast<std::uint32_t>(variable.bytes), stride};
        frame += stride * warp_size;
        limit(frame, most_frame_bytes, "registers and parameters of a warp");
        if (i < parameters)
            callable.parameters.push_back(passed_[i]);
        else if (i < parameters + function_.returns.size())
            callable.returns.push_back(passed_[i]);
    }
    callable.frame_bytes = round_up(frame, AlignedBytes::alignment);
    callable.local_bytes = round_up(local, lane_alignment);
}

std::uint64_t FunctionDecoder::variable_offset(std::uint32_t index) const {
    if (const auto local = locals_.find(index); local != locals_.end())
        return local->second;
    const auto shared = kernel_.shared_.find(&function_.variables.at(index));
    if (shared == kernel_.shared_.end())
        throw Unsupported(fmt::format("use of {}", function_.variables.at(index).name));
    return shared->second;
}

std::uint64_t FunctionDecoder::symbol_value(std::string_view name) const {
    if (is_shared_symbol(name))
        return kernel_.shared_.at(kernel_.linkage_.variable(name));
    const auto address = kernel_.linkage_.address(name);
    if (!address)
        throw Unsupported(fmt::format("use of {}, which is not defined in this module", name));
    return *address;
}

void FunctionDecoder::decode() {
    Code& code = kernel_.code_;
    kernel_.code_.functions[index_].first_step = static_cast<std::uint32_t>(code.steps.size());
    tables_before_ = static_cast<std::uint32_t>(code.tables.size());
    for (const ptx::Instruction& parsed : function_.instructions) {
        first_step_.push_back(static_cast<std::uint32_t>(code.steps.size()));
        decode(parsed);
        code.lines.resize(code.steps.size(), parsed.line);
        code.source_lines.resize(code.steps.size(), parsed.source_line);
        note_cost(parsed);
    }
    first_step_.push_back(static_cast<std::uint32_t>(code.steps.size()));
    // Falling off the end is returning.
    Step end;
    end.control = Control::give_back;
    code.steps.push_back(end);
    code.lines.resize(code.steps.size(), function_.line);
    code.source_lines.resize(code.steps.size(), 0);
    code.costs.resize(code.steps.size());
    resolve_targets();
}

/// All of it for the last step of an instruction, where it is more than one.
void FunctionDecoder::note_cost(const ptx::Instruction& parsed) {
    Code& code = kernel_.code_;
    const bool some = code.costs.size() < code.steps.size();
    code.costs.resize(code.steps.size());
    if (!some)
        return;
    code.costs.back() = cost_of(parsed);
    if (parsed.used_bytes != ~std::uint32_t{0})
        code.used_bytes[static_cast<std::uint32_t>(code.steps.size()) - 1] = parsed.used_bytes;
}

void FunctionDecoder::decode(const ptx::Instruction& parsed) {
    const Decoder decoder = decoder_of(parsed.opcode);
    try {
        if (decoder == nullptr)
            throw Unsupported(ptx::full_name(parsed));
        Instruction instruction(parsed, *this);
        decoder(instruction);
        if (!instruction.modifiers.empty())
            instruction.unsupported();
    } catch (const Unsupported& error) {
        throw Unsupported(fmt::format("unsupported_instruction: {:.200} (PTX line {}, in {:.200})", error.what(),
                                      parsed.line, function_.name));
    }
}

/// Branches were decoded with the index of an instruction.
void FunctionDecoder::resolve_targets() {
    Code& code = kernel_.code_;
    const std::uint32_t first_of_function = code.functions[index_].first_step;
    for (std::size_t i = first_of_function; i < code.steps.size(); ++i)
        if (code.steps[i].control == Control::branch)
            code.steps[i].target = first_step_.at(code.steps[i].target);
    for (std::size_t i = tables_before_; i < code.tables.size(); ++i)
        for (std::uint32_t& target : code.tables[i])
            target = first_step_.at(target);
}

/// The kernel, and whatever it can reach: by a call, or by an address that is taken.
void KernelDecoder::collect(const ptx::Function& kernel) {
    const ptx::Module& module = linkage_.module();
    std::set<std::string_view> seen{kernel.name};
    std::deque<const ptx::Function*> waiting{&kernel};
    const auto reach = [&](std::string_view name) {
        const auto index = linkage_.function(name);
        if (index && !module.functions[*index].entry && seen.insert(name).second)
            waiting.push_back(&module.functions[*index]);
    };
    std::set<std::string_view> variables;
    std::vector<std::string_view> pointed_to;
    const auto reach_variable = [&](std::string_view first) {
        for (pointed_to.push_back(first); !pointed_to.empty();) {
            const std::string_view name = pointed_to.back();
            pointed_to.pop_back();
            const ptx::Variable* const variable = linkage_.variable(name);
            if (variable == nullptr || !variables.insert(name).second)
                continue;
            for (const ptx::Relocation& relocation : variable->relocations) {
                reach(relocation.symbol);
                pointed_to.push_back(relocation.symbol);
            }
        }
    };
    while (!waiting.empty()) {
        const ptx::Function* const function = waiting.front();
        waiting.pop_front();
        indices_.try_emplace(function->name, static_cast<std::uint32_t>(functions_.size()));
        functions_.push_back(function);
        each_operand(*function, [&](const ptx::Operand& operand) {
            if (operand.kind != Kind::symbol)
                return;
            reach(operand.name);
            reach_variable(operand.name);
        });
        if (indirect_)
            continue;
        for (const ptx::Instruction& instruction : function->instructions)
            for (const ptx::Operand& operand : instruction.operands)
                indirect_ = indirect_ || (instruction.opcode == "call" && operand.kind == Kind::reg);
        // Pointers that arrive from elsewhere may point to any function.
        if (indirect_)
            for (const ptx::Function& any : module.functions)
                reach(any.name);
    }
    code_.functions.resize(functions_.size());
    calls_.resize(functions_.size());
}

void KernelDecoder::place_shared() {
    std::uint32_t offset = 0;
    std::vector<const ptx::Variable*> dynamic;
    const auto place = [&](const ptx::Variable& variable) {
        if (variable.space != ptx::Space::shared || shared_.contains(&variable))
            return;
        if (variable.external) {
            dynamic.push_back(&variable);
            return;
        }
        limit(variable.bytes, most_shared_bytes, "shared memory");
        offset = round_up(offset, variable.alignment);
        shared_[&variable] = offset;
        offset += static_cast<std::uint32_t>(variable.bytes);
        limit(offset, most_shared_bytes, "shared memory");
    };
    for (const ptx::Function* const function : functions_) {
        for (const ptx::Variable& variable : function->variables)
            place(variable);
        each_operand(*function, [&](const ptx::Operand& operand) {
            const ptx::Variable* const variable =
                operand.kind == Kind::symbol ? linkage_.variable(operand.name) : nullptr;
            if (variable != nullptr)
                place(*variable);
        });
    }
    std::uint32_t alignment = 16;
    for (const ptx::Variable* const variable : dynamic)
        alignment = std::max(alignment, variable->alignment);
    if (!dynamic.empty())
        offset = round_up(offset, alignment);
    for (const ptx::Variable* const variable : dynamic)
        shared_[variable] = offset;
    code_.shared_bytes = offset;
}

void KernelDecoder::place_parameters(const ptx::Function& kernel) {
    std::uint32_t offset = 0;
    for (const ptx::Variable& parameter : kernel.parameters) {
        offset = round_up(offset, parameter.alignment);
        code_.parameter_offsets.push_back(offset);
        limit(parameter.bytes, most_parameter_bytes, "a parameter");
        offset += static_cast<std::uint32_t>(parameter.bytes);
        limit(offset, most_parameter_bytes, "parameters");
    }
    code_.parameter_bytes = offset;
}

Code KernelDecoder::decode() {
    std::deque<FunctionDecoder> decoders;
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
        decoders.emplace_back(*this, i);
        decoders.back().lay_out();
    }
    for (FunctionDecoder& decoder : decoders)
        decoder.decode();
    measure_stack();
    code_.constants = AlignedBytes(constants_.bytes.size());
    if (!constants_.bytes.empty())
        std::memcpy(code_.constants.data(), constants_.bytes.data(), constants_.bytes.size());
    return std::move(code_);
}

/// The deepest chain of calls; a chain without end gets a fixed stack.
void KernelDecoder::measure_stack() {
    std::vector<std::int64_t> deepest(functions_.size(), -1);
    bool open_ended = indirect_;
    const std::function<std::uint32_t(std::uint32_t, std::uint32_t)> measure = [&](std::uint32_t function,
                                                                                   std::uint32_t depth) {
        constexpr std::int64_t in_progress = -2;
        if (depth == deepest_chain)
            throw Unsupported(fmt::format("a chain of more than {} calls", deepest_chain));
        open_ended = open_ended || deepest[function] == in_progress;
        if (deepest[function] != -1)
            return static_cast<std::uint32_t>(std::max<std::int64_t>(deepest[function], 0));
        deepest[function] = in_progress;
        std::uint32_t below = 0;
        for (const std::uint32_t next : calls_[function])
            below = std::max(below, measure(next, depth + 1));
        deepest[function] = code_.functions[function].local_bytes + below;
        return code_.functions[function].local_bytes + below;
    };
    const std::uint32_t bytes = measure(0, 0);
    limit(bytes, most_local_bytes, "local memory");
    code_.stack_bytes = open_ended ? std::max(open_ended_stack, 4 * code_.functions[0].local_bytes) : bytes;
}

Place KernelDecoder::constant(std::uint64_t low, std::uint64_t high, std::uint32_t bytes) {
    if (bytes < 8)
        low &= (std::uint64_t{1} << (8 * bytes)) - 1;
    if (bytes <= 8)
        high = 0;
    const auto [found, inserted] = constants_.places.try_emplace({low, high, bytes});
    if (inserted) {
        std::vector<std::byte>& pool = constants_.bytes;
        pool.resize(round_up(pool.size(), AlignedBytes::alignment));
        limit(pool.size(), most_constant_bytes, "constants");
        found->second = {Place::Area::constants, static_cast<std::uint32_t>(pool.size())};
        for (unsigned lane = 0; lane < warp_size; ++lane)
            for (unsigned i = 0; i < bytes; ++i)
                pool.push_back(static_cast<std::byte>((i < 8 ? low : high) >> (8 * (i % 8))));
    }
    return found->second;
}

std::uint32_t KernelDecoder::callee(std::string_view name) const {
    const auto found = indices_.find(name);
    if (found == indices_.end())
        throw Unsupported(fmt::format("call of {}, which is not defined in this module", name));
    return found->second;
}

} // namespace

Expected<Code, Failure> decode_kernel(const Linkage& linkage, const ptx::Function& kernel) {
    try {
        return KernelDecoder(linkage, kernel).decode();
    } catch (const Unsupported& error) {
        return Failure{Stage::contract, error.what()};
    }
}

} // namespace cudabench::cpu
