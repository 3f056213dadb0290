#include "executor/cpu/built.h"

#include "executor/cpu/access.h"
#include "executor/cpu/grid.h"

#include <fmt/format.h>

#include <array>
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

std::string read_text(Warp& warp, std::uint64_t address, unsigned lane) {
    std::string text;
    while (text.size() < longest_text) {
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
            while (end < format.size() &&
                   std::string_view("-+ #0123456789.*").find(format[end]) != std::string_view::npos) {
                if (format[end] == '*')
                    directive += fmt::format("{}", std::clamp(argument<std::int32_t>(4), -widest_field, widest_field));
                else
                    directive += format[end];
                ++end;
            }
            bool is_long = false;
            while (end < format.size() && std::string_view("hljztL").find(format[end]) != std::string_view::npos)
                is_long = format[end++] != 'h' || is_long;
            if (end == format.size() || directive.size() > 64)
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
        case 's': return print(directive + letter, read_text(warp_, argument<std::uint64_t>(8), lane_).c_str());
        default: return directive + letter;
        }
    }

    Warp& warp_;
    unsigned lane_;
    std::uint64_t next_;
};

void print(Warp& warp, const CallSite& site, Lanes lanes) {
    each(lanes, [&](unsigned lane) {
        const std::string format = read_text(warp, passed_value<std::uint64_t>(warp, site.arguments.at(0), lane), lane);
        const auto arguments = passed_value<std::uint64_t>(warp, site.arguments.at(1), lane);
        warp.grid().print(Formatter(warp, lane, arguments).run(format));
    });
}

[[noreturn]] void assertion(Warp& warp, const CallSite& site, Lanes lanes) {
    const unsigned lane = first(lanes);
    const auto text = [&](std::size_t i) {
        return read_text(warp, passed_value<std::uint64_t>(warp, site.arguments.at(i), lane), lane);
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
