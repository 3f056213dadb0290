#include "input.h"
#include "recipe/validate.h"
#include "recipe/wire.h"

namespace cudabench {

/// What a recorder may send: frames, and what is in them.
void try_input(std::span<const std::byte> bytes) {
    recipe::FrameBuffer buffer;
    buffer.append({bytes.begin(), bytes.end()});
    const recipe::Hello hello; // outlives the validator
    recipe::Validator validator(hello, {});
    for (auto frame = buffer.next(); frame && *frame; frame = buffer.next()) {
        const auto& payload = (**frame).payload;
        if (const auto operation = recipe::decode_operation(payload))
            (void)validator.check(*operation);
        (void)recipe::decode_question(payload);
        (void)recipe::decode_answer(payload);
        (void)recipe::decode_hello(payload);
    }
}

} // namespace cudabench
