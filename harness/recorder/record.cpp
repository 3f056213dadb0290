#include "recorder/record.h"

#include "outcome/harmless_text.h"
#include "outcome/out_of_memory.h"
#include "recorder/capture.h"
#include "recorder/channel.h"
#include "recorder/conversation.h"
#include "recorder/process.h"
#include "recorder/report.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

namespace cudabench::recorder {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint64_t report_bytes = 64 << 10;
constexpr std::size_t most_threads = 1024;
constexpr auto look_every = 5ms; ///< at memory and threads, of which many begin in a moment

Failure contract(std::string message) {
    return {Stage::contract, std::move(message)};
}

struct Channels {
    Channel output = pipe_from_child();
    Channel socket = stream_socket();
    Channel report = pipe_from_child();

    [[nodiscard]] explicit operator bool() const { return output && socket && report; }
    void close_theirs() {
        for (Channel* channel : {&output, &socket, &report})
            channel->theirs.close();
    }
};

std::string describe(const Exit& exit) {
    if (!exit.killed)
        return fmt::format("host code called exit({}) before it returned", exit.code);
    if (exit.code == SIGSYS)
        return "forbidden system call, of unknown name because signals were blocked (system() and posix_spawn() do so)";
    const char* name = sigabbrev_np(exit.code);
    return fmt::format("host code crashed: {}",
                       name ? fmt::format("SIG{}", name) : fmt::format("signal {}", exit.code));
}

/// Watches over one recording, from the started process to its end.
class Supervisor {
public:
    Supervisor(const Setup& setup, Process& process, Channels& channels, Answers& answers)
        : setup_(setup), process_(process), socket_(channels.socket.ours.get()),
          conversation_(setup.limits.recipe, answers), output_(channels.output.ours.get(), setup.limits.output_bytes),
          report_(channels.report.ours.get(), report_bytes) {}

    Recording run(const recipe::Call& call) {
        conversation_.say(recipe::FrameKind::hello, recipe::encode(hello(call)));
        std::optional<Failure> failure;
        while (!failure && !conversation_.over() && !ended_) {
            wait();
            failure = exceeded();
        }
        if (!failure)
            failure = verdict();
        return finish(std::move(failure));
    }

private:
    [[nodiscard]] recipe::Hello hello(const recipe::Call& call) const {
        return {setup_.device, setup_.workspace, setup_.free_bytes, setup_.limits.recipe, call};
    }

    [[nodiscard]] Clock::duration host_time() const { return Clock::now() - start_ - conversation_.answering(); }

    /// Sleeps until something happens, at most until memory and threads are to be looked at again, and deals with it.
    void wait() {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(setup_.limits.host_time - host_time());
        const auto patience = std::clamp<std::chrono::milliseconds>(left, 0ms, look_every);
        const short wanted = conversation_.unsent().empty() ? POLLIN : POLLOUT;
        std::array<pollfd, 4> watched = {pollfd{socket_open_ ? socket_ : -1, wanted, 0},
                                         pollfd{output_.open() ? output_.descriptor() : -1, POLLIN, 0},
                                         pollfd{report_.open() ? report_.descriptor() : -1, POLLIN, 0},
                                         pollfd{process_.ended(), POLLIN, 0}};
        if (poll(watched.data(), watched.size(), static_cast<int>(patience.count())) < 0)
            return;
        if (watched[0].revents != 0)
            converse();
        if (watched[1].revents != 0)
            output_.take();
        if (watched[2].revents != 0)
            report_.take();
        if (watched[3].revents != 0)
            hear_the_rest();
    }

    /// One write or one read. Whether the other side took or gave something.
    bool converse() {
        const auto unsent = conversation_.unsent();
        const ssize_t moved = unsent.empty() ? read(socket_, bytes_.data(), bytes_.size())
                                             : send(socket_, unsent.data(), unsent.size(), MSG_NOSIGNAL);
        if (moved <= 0) {
            socket_open_ = moved < 0 && (errno == EAGAIN || errno == EINTR);
            closed_ = Clock::now();
            return false;
        }
        if (unsent.empty())
            conversation_.hear(std::span(bytes_).first(static_cast<std::size_t>(moved)));
        else
            conversation_.sent(static_cast<std::size_t>(moved));
        return true;
    }

    /// The process has ended; what it said before that still lies in the socket.
    void hear_the_rest() {
        ended_ = true;
        while (socket_open_ && !conversation_.over() && converse()) {
        }
    }

    [[nodiscard]] std::optional<Failure> exceeded() {
        if (conversation_.over() || ended_)
            return std::nullopt;
        if (host_time() > setup_.limits.host_time)
            return contract(fmt::format("host code ran longer than its limit of {} s",
                                        std::chrono::duration<double>(setup_.limits.host_time).count()));
        if (output_.overflowed())
            return printed_too_much();
        // Also an ordinary end closes the socket first.
        if (!socket_open_ && Clock::now() > closed_ + 1s)
            return ended_early("host code closed the recorder's socket");
        if (Clock::now() < look_again_)
            return std::nullopt;
        look_again_ = Clock::now() + look_every;
        if (process_.threads() > most_threads)
            return contract(fmt::format("host code started more than {} threads", most_threads));
        return exceeded_memory();
    }

    [[nodiscard]] Failure printed_too_much() const {
        return contract(fmt::format("host code printed more than its limit of {} bytes", setup_.limits.output_bytes));
    }

    [[nodiscard]] std::optional<Failure> exceeded_memory() {
        const std::uint64_t resident = process_.resident_bytes();
        if (resident > setup_.limits.host_memory_bytes)
            return contract(fmt::format("host code used more memory than its limit of {} MiB",
                                        setup_.limits.host_memory_bytes >> 20));
        // Without its main thread a process shows no memory, though others may go on; for a moment also when it ends.
        constexpr int looks_at_an_ending_process = 10;
        looks_without_memory_ = resident == 0 ? looks_without_memory_ + 1 : 0;
        if (looks_without_memory_ > looks_at_an_ending_process)
            return ended_early("host code ended its main thread before it returned");
        return std::nullopt;
    }

    /// What to make of a conversation that is over, or of a process that has ended.
    [[nodiscard]] std::optional<Failure> verdict() {
        report_.drain();
        const Report report = read_report(report_.text());
        if (!report.confined && !(report.refusal && setup_.unsafe))
            return not_begun(report);
        if (conversation_.failure())
            return conversation_.failure();
        output_.drain();
        if (output_.overflowed())
            return printed_too_much();
        if (conversation_.done())
            return left_behind();
        if (const Exit exit = process_.end(); exit.killed && exit.code == SIGKILL && out_of_memory())
            return memory_ran_out();
        return contract(report.failure.value_or(describe(process_.end())));
    }

    [[nodiscard]] bool out_of_memory() const { return ended_for_memory() > ended_before_; }

    [[nodiscard]] static Failure memory_ran_out() {
        return {Stage::fault, "the machine's memory ran out, and the kernel ended host code's process"};
    }

    /// By its own doing, as it seems; but a process that the kernel ends looks so too for as long as that takes.
    [[nodiscard]] Failure ended_early(const char* how) const {
        return out_of_memory() ? memory_ran_out() : contract(how);
    }

    /// The process ended before it loaded any code of the candidate.
    [[nodiscard]] Failure not_begun(const Report& report) {
        if (!report.refusal)
            return cannot_begin();
        return {Stage::not_run, fmt::format("cannot confine host code: {}; grading refuses to run candidate host code "
                                            "unconfined; --unsafe (CUDABENCH_UNSAFE=1) overrides",
                                            *report.refusal)};
    }

    [[nodiscard]] Failure cannot_begin() {
        const Exit exit = process_.end();
        output_.drain();
        std::string said = harmless_text(output_.text());
        while (said.ends_with('\n'))
            said.pop_back();
        return {Stage::fault, fmt::format("the recorder could not begin ({} {}): {}",
                                          exit.killed ? "signal" : "exit code", exit.code, said)};
    }

    /// Threads that host code has started and not ended. One that is just ending, after it was joined, is still
    /// there for some microseconds.
    [[nodiscard]] std::optional<Failure> left_behind() const {
        std::size_t threads = process_.threads();
        for (const auto deadline = Clock::now() + 100ms; threads > 1 && Clock::now() < deadline;) {
            std::this_thread::sleep_for(1ms);
            threads = process_.threads();
        }
        if (threads <= 1)
            return std::nullopt;
        return contract(fmt::format("host code returned while {} of its threads still ran", threads - 1));
    }

    Recording finish(std::optional<Failure> failure) {
        process_.end();
        output_.drain();
        report_.drain();
        Report report = read_report(report_.text());
        Recording recording;
        recording.failure = std::move(failure);
        recording.notes = conversation_.notes();
        recording.notes.insert(recording.notes.end(), report.notes.begin(), report.notes.end());
        recording.recipe = conversation_.take_recipe();
        recording.output = harmless_text(output_.text());
        recording.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        recording.host_seconds = std::chrono::duration<double>(host_time()).count();
        recording.confined = report.confined;
        return recording;
    }

    const Setup& setup_;
    Process& process_;
    int socket_;
    Conversation conversation_;
    Capture output_;
    Capture report_;
    std::array<std::byte, 1 << 18> bytes_{};
    std::uint64_t ended_before_ = ended_for_memory();
    Clock::time_point start_ = Clock::now();
    Clock::time_point look_again_ = start_ + look_every;
    Clock::time_point closed_;
    int looks_without_memory_ = 0;
    bool socket_open_ = true;
    bool ended_ = false;
};

Recording no_recording(Failure failure) {
    Recording recording;
    recording.failure = std::move(failure);
    return recording;
}

} // namespace

Expected<std::uint64_t, Failure> Answers::create_texture(const recipe::Recipe&, const recipe::CreateTexture&) {
    return contract("unsupported_api: texture and surface objects without a GPU");
}

Expected<std::vector<std::byte>, Failure> Answers::tensor_map(const recipe::TensorMap&) {
    return contract("unsupported_api: tensor maps without a GPU");
}

Expected<std::uint64_t, Failure> Answers::cluster_occupancy(const recipe::ClusterOccupancy&) {
    return contract("unsupported_api: occupancy of clusters without a GPU");
}

Recording record(const Setup& setup, const std::filesystem::path& module, const recipe::Call& call, Answers& answers) {
    std::error_code error;
    if (!std::filesystem::exists(module, error))
        return no_recording({Stage::fault, "no such module: " + module.string()});
    Channels channels;
    if (!channels)
        return no_recording({Stage::fault, std::string("cannot talk to a recorder: ") + std::strerror(errno)});
    auto process =
        Process::start(setup.recorder, {std::filesystem::absolute(module).string(), setup.unsafe ? "unsafe" : "safe"},
                       {channels.output.theirs.get(), channels.socket.theirs.get(), channels.report.theirs.get()});
    if (!process)
        return no_recording(process.error());
    channels.close_theirs();
    return Supervisor(setup, *process, channels, answers).run(call);
}

} // namespace cudabench::recorder
