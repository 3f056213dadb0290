#include "case/cpu_answers.h"

#include <fmt/format.h>

#include <span>

namespace cudabench {

CpuAnswers::CpuAnswers(cpu::Performance& performance, const cpu::Program& program, const recipe::Hello& hello)
    : performance_(performance), program_(program), validator_(hello, program.code()) {}

Expected<Done, Failure> CpuAnswers::perform_up_to(const recipe::Recipe& recipe, std::size_t end) {
    const auto operations = std::span(recipe.operations).subspan(performed_, end - performed_);
    for (const recipe::Operation& operation : operations)
        if (const auto admitted = validator_.check(operation); !admitted)
            return admitted.error();
    performed_ = end;
    return performance_.perform(operations);
}

Expected<std::vector<std::byte>, Failure> CpuAnswers::copy_to_host(const recipe::Recipe& so_far,
                                                                   const recipe::CopyToHost& question) {
    if (const auto performed = perform_up_to(so_far, so_far.operations.size()); !performed)
        return performed.error();
    if (const auto admitted = validator_.check(question); !admitted)
        return admitted.error();
    ++performed_; // the question itself becomes an operation of the recipe
    return performance_.answer(question);
}

Expected<recipe::Address, Failure> CpuAnswers::symbol_address(const std::string& name) {
    if (const auto global = program_.global(name))
        return global->address;
    return Failure{Stage::contract, fmt::format("the device code has no variable {}", name)};
}

Expected<Done, Failure> CpuAnswers::perform_rest(const recipe::Recipe& recipe) {
    return perform_up_to(recipe, recipe.operations.size());
}

} // namespace cudabench
