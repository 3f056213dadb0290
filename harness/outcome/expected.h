#pragma once

#include <stdexcept>
#include <utility>
#include <variant>

namespace cudabench {

/// A value, or the reason why there is none. For failures that a caller must expect and handle (a candidate's fault,
/// a missing GPU, a corrupt file); broken invariants throw instead. Stands in for std::expected until C++23.
template <typename Value, typename Error> class [[nodiscard]] Expected {
public:
    Expected(Value value) : content_(std::in_place_index<0>, std::move(value)) {}
    Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    /// The value; throws std::logic_error if there is none.
    [[nodiscard]] Value& value() & { return has_value() ? std::get<0>(content_) : throw_no_value(); }
    [[nodiscard]] const Value& value() const& { return has_value() ? std::get<0>(content_) : throw_no_value(); }
    [[nodiscard]] Value&& value() && { return std::move(value()); }
    Value* operator->() { return &value(); }
    const Value* operator->() const { return &value(); }
    Value& operator*() & { return value(); }
    const Value& operator*() const& { return value(); }

    /// The error; throws std::bad_variant_access if there is a value.
    [[nodiscard]] const Error& error() const { return std::get<1>(content_); }

private:
    [[noreturn]] static Value& throw_no_value() { throw std::logic_error("Expected: no value"); }

    std::variant<Value, Error> content_;
};

/// The value of an operation that yields nothing but success.
using Done = std::monostate;

} // namespace cudabench
