#pragma once

#include "recipe/validate.h"
#include "recorder/record.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cudabench {

/// Performs a recipe while it is being recorded, as far as questions of the host code need it, and the rest afterwards.
/// Every operation is validated before it is performed. `Performance` and `Program` are those of an executor.
template <typename Performance, typename Program> class PerformingAnswers : public recorder::Answers {
public:
    /// All must outlive it. `hello` is what the recorder was told.
    PerformingAnswers(Performance& performance, const Program& program, const recipe::Hello& hello)
        : performance_(performance), program_(program), validator_(hello, program.code()) {}

    Expected<std::vector<std::byte>, Failure> copy_to_host(const recipe::Recipe& so_far,
                                                           const recipe::CopyToHost& question) override {
        return answer_in_turn(so_far, question);
    }

    Expected<std::uint64_t, Failure> create_texture(const recipe::Recipe& so_far,
                                                    const recipe::CreateTexture& question) override {
        return answer_in_turn(so_far, question);
    }

    Expected<recipe::Address, Failure> symbol_address(const std::string& name) override {
        if (const auto global = program_.global(name))
            return static_cast<recipe::Address>(global->address);
        return Failure{Stage::contract, fmt::format("the device code has no variable {}", name)};
    }

    /// Validates and performs what no question has asked for yet. On a GPU it is only started.
    Expected<Done, Failure> perform_rest(const recipe::Recipe& recipe) {
        return perform_up_to(recipe, recipe.operations.size());
    }

protected:
    /// The answer to a question that is itself an operation: all before it are performed.
    template <typename Question>
    auto answer_in_turn(const recipe::Recipe& so_far, const Question& question)
        -> decltype(std::declval<Performance&>().answer(question)) {
        if (const auto performed = perform_up_to(so_far, so_far.operations.size()); !performed)
            return performed.error();
        if (const auto admitted = validator_.check(question); !admitted)
            return admitted.error();
        ++performed_; // the question itself becomes an operation of the recipe
        return performance_.answer(question);
    }

    [[nodiscard]] Performance& performance() { return performance_; }
    [[nodiscard]] recipe::Validator& validator() { return validator_; }

private:
    Expected<Done, Failure> perform_up_to(const recipe::Recipe& recipe, std::size_t end) {
        const auto operations = std::span(recipe.operations).subspan(performed_, end - performed_);
        if (const auto admitted = validator_.check_all(operations); !admitted)
            return admitted.error();
        performed_ = end;
        return performance_.perform(operations);
    }

    Performance& performance_;
    const Program& program_;
    recipe::Validator validator_;
    std::size_t performed_ = 0;
};

} // namespace cudabench
