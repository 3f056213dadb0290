// perform_call <call.json> [cpu]: records one call of a shared object confined, performs it on the GPU or on the CPU,
// and writes what its buffers hold afterwards. Prints what happened as JSON. The file:
//
//   {"module": PATH, "function": "cudabench_call", "seconds": 60, "dims": [], "params": [],
//    "buffers": [{"writable": true, "before": PATH, "after": PATH}]}
//
// A buffer is as long as its file `before`. On a GPU a recipe that asks nothing is also performed again and timed as a
// graph; the buffers then go to `after` with ".again" and ".timed". Exit codes: 0 performed, 1 failed (see "stage" and
// "message"), 2 the call cannot be read, 77 no GPU.
#include "case/cpu_answers.h"
#include "case/live_answers.h"
#include "case/recipe_json.h"
#include "case/text_file.h"
#include "device/described.h"
#include "driver/lost.h"
#include "executor/gpu/executor.h"
#include "measure/time_recipe.h"
#include "recorder/record.h"
#include "recorder/unsafe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cudabench;

namespace {

using Json = nlohmann::ordered_json;
constexpr std::uint64_t poison_seed = 1;

struct Buffer {
    std::string before;
    std::string after; ///< a file
    bool writable = true;
};

struct Asked {
    std::string module;
    recipe::Call call; ///< without addresses
    std::vector<Buffer> buffers;
    gpu::Seconds limit{60};
};

Asked read_call(const char* file) {
    const Json json = Json::parse(read_text(file));
    Asked asked;
    asked.module = json.at("module");
    asked.call.function = json.value("function", "cudabench_call");
    asked.call.dims = json.value("dims", std::vector<std::int64_t>{});
    asked.call.params = json.value("params", std::vector<double>{});
    asked.limit = gpu::Seconds(json.value("seconds", 60));
    for (const Json& one : json.value("buffers", Json::array()))
        asked.buffers.push_back({read_text(one.at("before").get<std::string>()), one.at("after"), one.at("writable")});
    return asked;
}

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

void write(const std::string& file, std::span<const char> bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

recorder::Setup setup_for(const device::Description& device, const recipe::Workspace& workspace, std::uint64_t free,
                          gpu::Seconds limit) {
    recorder::Setup setup{.recorder = RECORDER,
                          .device = device,
                          .workspace = workspace,
                          .free_bytes = free,
                          .limits = {},
                          .unsafe = recorder::unsafe_requested()};
    setup.limits.host_time = std::chrono::duration_cast<std::chrono::milliseconds>(limit);
    return setup;
}

void tell(Json& told, const recorder::Recording& recording) {
    Json counted = Json::object();
    for (const Json& operation : to_json(recording.recipe, recording.recipe.operations.size())) {
        const std::string kind = operation.at("operation");
        counted[kind] = counted.value(kind, 0) + 1;
    }
    told["operations"] = counted;
    told["host_dependent"] = recording.recipe.host_dependent();
    told["notes"] = recording.notes;
    told["output"] = recording.output;
}

int end(Json& told, const Failure& failure) {
    told["stage"] = name(failure.stage);
    told["message"] = failure.message;
    return 1;
}

class OnGpu {
public:
    OnGpu(gpu::Executor& executor, gpu::Program& program, const Asked& asked)
        : executor_(executor), program_(program), asked_(asked), call_(asked.call),
          memory_(executor.buffers(bytes_where(false), bytes_where(true), gpu::Placement::at_start)) {
        std::size_t inputs = 0;
        std::size_t outputs = 0;
        for (const Buffer& buffer : asked.buffers) {
            const gpu::Buffer& place = buffer.writable ? memory_.outputs()[outputs++] : memory_.inputs()[inputs++];
            call_.buffers.push_back({place.address, place.bytes, buffer.writable});
        }
    }

    int run(Json& told) {
        executor_.start_recipe(gpu::PoisonPattern::not_a_number, poison_seed);
        restart();
        recorder::Recording recording;
        {
            gpu::Performance performance = executor_.performance(program_, asked_.limit);
            recording = record_and_start(performance);
            tell(told, recording);
            if (recording.failure)
                return end(told, *recording.failure);
            const auto printed = performance.finish();
            if (!printed)
                return end(told, printed.error());
            told["printed"] = *printed;
        }
        put_away("");
        return recording.recipe.host_dependent() ? 0 : perform_again(told, recording.recipe);
    }

private:
    [[nodiscard]] std::vector<std::uint64_t> bytes_where(bool writable) const {
        std::vector<std::uint64_t> bytes;
        for (const Buffer& buffer : asked_.buffers)
            if (buffer.writable == writable)
                bytes.push_back(buffer.before.size());
        return bytes;
    }

    /// Everything as before the first time.
    void restart() {
        executor_.restart_recipe(program_, gpu::PoisonPattern::not_a_number, poison_seed);
        const gpu::WritableInputs writable(memory_);
        for (std::size_t i = 0; i < asked_.buffers.size(); ++i)
            executor_.write(call_.buffers[i].address, bytes_of(asked_.buffers[i].before));
    }

    recorder::Recording record_and_start(gpu::Performance& performance) {
        const recorder::Setup setup =
            setup_for(executor_.description(), executor_.workspace(), executor_.free_memory(), asked_.limit);
        const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call_};
        LiveAnswers answers(performance, program_, hello);
        recorder::Recording recording = recorder::record(setup, asked_.module, call_, answers);
        if (!recording.failure)
            if (const auto started = answers.perform_rest(recording.recipe); !started)
                recording.failure = started.error();
        return recording;
    }

    int perform_again(Json& told, const recipe::Recipe& recipe) {
        restart();
        if (const auto again = executor_.perform(program_, recipe, asked_.limit); !again)
            return end(told, again.error());
        put_away(".again");
        const measure::Conditions conditions(executor_.device());
        const measure::Around around{.prepare = [&](unsigned) { restart(); }};
        const auto timing = measure::time_recipe(executor_, conditions, program_, recipe, around, asked_.limit);
        if (!timing)
            return end(told, timing.error());
        put_away(".timed");
        told["seconds"] = timing->seconds;
        told["graph"] = timing->graph;
        return 0;
    }

    void put_away(const std::string& suffix) {
        executor_.synchronize();
        for (std::size_t i = 0; i < asked_.buffers.size(); ++i) {
            std::vector<char> bytes(asked_.buffers[i].before.size());
            executor_.read(call_.buffers[i].address, std::as_writable_bytes(std::span(bytes)));
            write(asked_.buffers[i].after + suffix, bytes);
        }
    }

    gpu::Executor& executor_;
    gpu::Program& program_;
    const Asked& asked_;
    recipe::Call call_;
    gpu::ShapeBuffers memory_;
};

int perform_on_gpu(const Asked& asked, Json& told) {
    auto executor = gpu::Executor::create();
    if (!executor) {
        end(told, executor.error());
        return executor.error().stage == Stage::not_run ? 77 : 1;
    }
    auto program = (*executor)->load(asked.module);
    return program ? OnGpu(**executor, *program, asked).run(told) : end(told, program.error());
}

int perform_on_cpu(const Asked& asked, Json& told) {
    constexpr recipe::Workspace workspace{.base = 0x200000000000,
                                          .bytes = std::uint64_t{4} << 30,
                                          .span = std::uint64_t{64} << 30,
                                          .granularity = std::uint64_t{2} << 20};
    constexpr std::uint64_t distance = std::uint64_t{16} << 30;
    auto program = cpu::Program::load(asked.module);
    if (!program)
        return end(told, program.error());
    cpu::Memory memory;
    recipe::Call call = asked.call;
    for (const Buffer& buffer : asked.buffers) {
        const recipe::Address address = workspace.base + workspace.span + call.buffers.size() * distance;
        memory.map(address, buffer.before.size(), buffer.writable, buffer.after, 0);
        std::memcpy(memory.at(address, buffer.before.size()), buffer.before.data(), buffer.before.size());
        call.buffers.push_back({address, buffer.before.size(), buffer.writable});
    }
    program->place_globals(memory);
    const recorder::Setup setup = setup_for(device::h200(), workspace, workspace.bytes, asked.limit);
    const recipe::Hello hello{setup.device, setup.workspace, setup.free_bytes, setup.limits.recipe, call};
    cpu::Performance performance(memory, *program,
                                 {.threads = std::max(1U, std::thread::hardware_concurrency()), .time = asked.limit});
    CpuAnswers answers(performance, *program, hello);
    const recorder::Recording recording = recorder::record(setup, asked.module, call, answers);
    tell(told, recording);
    if (recording.failure)
        return end(told, *recording.failure);
    if (const auto performed = answers.perform_rest(recording.recipe); !performed)
        return end(told, performed.error());
    told["printed"] = performance.finish().value();
    for (std::size_t i = 0; i < asked.buffers.size(); ++i) {
        const std::size_t bytes = asked.buffers[i].before.size();
        write(asked.buffers[i].after,
              {reinterpret_cast<const char*>(memory.at(call.buffers[i].address, bytes)), bytes});
    }
    return 0;
}

int run(int argc, char** argv, Json& told) {
    try {
        const Asked asked = read_call(argc > 1 ? argv[1] : "");
        return argc > 2 && std::string_view(argv[2]) == "cpu" ? perform_on_cpu(asked, told)
                                                              : perform_on_gpu(asked, told);
    } catch (const Json::exception& error) {
        told["message"] = error.what();
        return 2;
    } catch (const std::exception& error) {
        return end(told, {Stage::fault, error.what()});
    }
}

} // namespace

int main(int argc, char** argv) {
    Json told;
    const int code = run(argc, argv, told);
    fmt::print("{}\n", told.dump(1, ' ', false, Json::error_handler_t::replace));
    std::fflush(nullptr);
    if (driver::lost())
        ::_exit(code); // the driver's own cleaning up would hang
    return code;
}
