#include "runtime/executor_link.h"

#include "recipe/wire.h"
#include "runtime/session.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace cudabench::runtime {

namespace {

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "recording CUDA runtime: %s\n", why.c_str());
    _exit(EXIT_FAILURE);
}

} // namespace

recipe::Hello ExecutorLink::read_hello() {
    const auto frame = recipe::read_frame(socket_);
    if (!frame)
        give_up(frame.error().message);
    if (frame->kind != recipe::FrameKind::hello)
        give_up("the executor did not begin with hello");
    auto hello = recipe::decode_hello(frame->payload);
    if (!hello)
        give_up(hello.error().message);
    return std::move(*hello);
}

void ExecutorLink::operation(const recipe::Operation& operation) {
    frame(recipe::FrameKind::operation, recipe::encode(operation));
}

void ExecutorLink::note(const std::string& text) {
    constexpr int most = 100;
    if (notes_++ < most)
        frame(recipe::FrameKind::note, recipe::encode_text(text));
}

recipe::Answer ExecutorLink::ask(const recipe::Question& question) {
    frame(recipe::FrameKind::question, recipe::encode(question));
    flush();
    const auto reply = recipe::read_frame(socket_);
    if (!reply)
        give_up(reply.error().message);
    if (reply->kind != recipe::FrameKind::answer)
        give_up("the executor did not answer a question");
    auto answer = recipe::decode_answer(reply->payload);
    if (!answer)
        give_up(answer.error().message);
    return std::move(*answer);
}

void ExecutorLink::unsupported(const std::string& name) {
    frame(recipe::FrameKind::unsupported, recipe::encode_text(name));
    flush();
    _exit(unsupported_exit_code);
}

void ExecutorLink::done() {
    frame(recipe::FrameKind::done, {});
    flush();
}

void ExecutorLink::frame(recipe::FrameKind kind, const std::vector<std::byte>& payload) {
    constexpr std::size_t enough = std::size_t{1} << 20;
    const auto bytes = recipe::encode_frame(kind, payload);
    unsent_.insert(unsent_.end(), bytes.begin(), bytes.end());
    if (unsent_.size() >= enough)
        flush();
}

void ExecutorLink::flush() {
    if (socket_ < 0)
        give_up("host code called CUDA before the recording began");
    if (const auto sent = recipe::write_all(socket_, unsent_); !sent)
        give_up(sent.error().message);
    unsent_.clear();
}

} // namespace cudabench::runtime
