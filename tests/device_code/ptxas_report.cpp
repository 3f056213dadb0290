#include "ptxas_report.h"

#include <fstream>
#include <regex>

namespace cudabench::device_code {

namespace {

std::uint32_t number(const std::string& line, const char* pattern) {
    std::smatch match;
    return std::regex_search(line, match, std::regex(pattern)) ? static_cast<std::uint32_t>(std::stoul(match[1])) : 0;
}

} // namespace

std::map<std::string, Reported> read_ptxas_report(const std::string& path) {
    std::map<std::string, Reported> reports;
    std::ifstream file(path);
    std::string kernel;
    for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_search(line, match, std::regex("Compiling entry function '([^']+)'")))
            kernel = match[1];
        else if (line.find("Used ") != std::string::npos)
            reports[kernel] = {number(line, "Used (\\d+) registers"), number(line, "(\\d+) bytes smem"),
                               number(line, "(\\d+) bytes cumulative stack size")};
    }
    return reports;
}

} // namespace cudabench::device_code
