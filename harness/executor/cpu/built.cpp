#include "executor/cpu/built.h"

#include "executor/cpu/access.h"
#include "executor/cpu/grid.h"
#include "outcome/harmless_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

namespace cudabench::cpu {
namespace {

constexpr std::size_t longest_text = 4096;
constexpr int widest_field = 512;

template <typename T> T passed_value(Warp& warp, const Passed& passed, unsigned lane) {
    T value{};
    if (passed.bytes == sizeof value)
        std::memcpy(&value, warp.at<std::byte>(passed.place) + std::size_t{lane} * passed.stride, sizeof value);
    return value;
}

template <typename T> T read(Warp& warp, std::uint64_t address, unsigned lane) {
    T value;
    std::memcpy(&value, locate(warp, Where::generic, address, lane, sizeof value, Access::read).at(address, lane),
                sizeof value);
    return value;
}

std::string read_text(Warp& warp, std::uint64_t address, unsigned lane, std::size_t longest = longest_text) {
    std::string text;
    while (text.size() < longest) {
        const char c = read<char>(warp, address++, lane);
        if (c == '\0')
            break;
        text += c;
    }
    return text;
}

/// One conversion: "%-8.3f" with its letter, the host's snprintf gets it with a length that fits the value.
class Formatter {
public:
    Formatter(Warp& warp, unsigned lane, std::uint64_t arguments) : warp_(warp), lane_(lane), next_(arguments) {}

    std::string run(const std::string& format) {
        std::string out;
        for (std::size_t i = 0; i < format.size();) {
            if (format[i] != '%') {
                out += format[i++];
                continue;
            }
            std::size_t end = i + 1;
            std::string directive = "%";
            for (; end < format.size() && std::string_view("-+ #0").find(format[end]) != std::string_view::npos; ++end)
                if (directive.find(format[end]) == std::string::npos)
                    directive += format[end];
            directive += field(format, end);
            if (end < format.size() && format[end] == '.') {
                const std::string precision = field(format, ++end);
                directive += precision.starts_with('-') ? "" : "." + precision; // as if there were none
            }
            bool is_long = false;
            while (end < format.size() && std::string_view("hljztL").find(format[end]) != std::string_view::npos)
                is_long = format[end++] != 'h' || is_long;
            if (end == format.size() || out.size() > longest_text)
                break;
            out += one(directive, format[end], is_long);
            i = end + 1;
        }
        return out;
    }

private:
    template <typename T> T argument(std::uint64_t alignment) {
        next_ = (next_ + alignment - 1) / alignment * alignment;
        const T value = read<T>(warp_, next_, lane_);
        next_ += sizeof(T);
        return value;
    }

    /// A width or a precision: digits, or an argument; bounded, since the host would pad for as long as it takes.
    std::string field(const std::string& format, std::size_t& at) {
        if (at < format.size() && format[at] == '*') {
            ++at;
            return fmt::format("{}", std::clamp(argument<std::int32_t>(4), -widest_field, widest_field));
        }
        int value = 0;
        const std::size_t start = at;
        for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
            value = std::min(10 * value + (format[at] - '0'), widest_field);
        return at == start ? "" : fmt::format("{}", value);
    }

    template <typename T> static std::string print(const std::string& directive, T value) {
        std::array<char, 1024> text{};
        const int length = std::snprintf(text.data(), text.size(), directive.c_str(), value);
        return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
    }

    std::string one(const std::string& directive, char letter, bool is_long) {
        switch (letter) {
        case '%': return "%";
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            if (is_long)
                return print(directive + "ll" + letter, argument<long long>(8));
            return print(directive + letter, argument<int>(4));
        case 'c': return print(directive + letter, argument<int>(4));
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A': return print(directive + letter, argument<double>(8));
        case 'p': return fmt::format("0x{:x}", argument<std::uint64_t>(8));
        case 's': return print(directive + letter, text(argument<std::uint64_t>(8)).c_str());
        default: return directive + letter;
        }
    }

    /// All texts of a call together are as long as one may be.
    std::string text(std::uint64_t address) {
        std::string read = read_text(warp_, address, lane_, left_);
        left_ -= read.size();
        return read;
    }

    Warp& warp_;
    unsigned lane_;
    std::uint64_t next_;
    std::size_t left_ = longest_text; ///< characters of texts
};

void print(Warp& warp, const CallSite& site, Lanes lanes) {
    // A step as long as thousands of others.
    if (std::chrono::steady_clock::now() > warp.grid().budget->deadline)
        throw Fault("did not end within its time limit", first(lanes));
    each(lanes, [&](unsigned lane) {
        const std::string format = read_text(warp, passed_value<std::uint64_t>(warp, site.arguments.at(0), lane), lane);
        const auto arguments = passed_value<std::uint64_t>(warp, site.arguments.at(1), lane);
        warp.grid().print(Formatter(warp, lane, arguments).run(format));
    });
}

[[noreturn]] void assertion(Warp& warp, const CallSite& site, Lanes lanes) {
    const unsigned lane = first(lanes);
    const auto text = [&](std::size_t i) {
        std::string said =
            harmless_text(read_text(warp, passed_value<std::uint64_t>(warp, site.arguments.at(i), lane), lane));
        std::ranges::replace(said, '\n', ' '); // what follows is to be seen too
        return said;
    };
    throw Fault(fmt::format("assertion `{}` failed ({}:{})", text(0), text(1),
                            passed_value<std::uint32_t>(warp, site.arguments.at(2), lane)),
                lane);
}

} // namespace

void call_built(Warp& warp, const CallSite& site, Lanes lanes) {
    if (site.arguments.size() < (site.built == Built::print ? 2U : 3U))
        throw Fault("a call with too few arguments", first(lanes));
    if (site.built == Built::assertion)
        assertion(warp, site, lanes);
    print(warp, site, lanes);
}

} // namespace cudabench::cpu
