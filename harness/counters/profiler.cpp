#include "counters/profiler.h"

#include "counters/parameters.h"
#include "driver/library.h"
#include "driver/lost.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

namespace cudabench::counters {
namespace {

/// Another profiler, such as ncu, is waited for so long.
constexpr std::chrono::milliseconds patience{10'000};
constexpr std::chrono::milliseconds pause{200};
constexpr unsigned most_passes = 64; ///< far above what any chip needs: an endless series is an error of CUPTI

std::string chip_of(const Cupti& cupti, const gpu::Device& device) {
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    chip.deviceIndex = static_cast<std::size_t>(device.handle());
    cupti.cuptiDeviceGetChipName(&chip);
    return chip.pChipName;
}

/// Counts between a start and a stop, which must follow whatever happens.
class Pass {
public:
    Pass(const Cupti& cupti, CUpti_RangeProfiler_Object* object) : cupti_(cupti), object_(object) {
        auto start = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
        start.pRangeProfilerObject = object_;
        cupti_.cuptiRangeProfilerStart(&start);
    }
    ~Pass() {
        if (!stopped_ && !driver::lost())
            cupti_.cuptiRangeProfilerStop.result(&stop_);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    void push() {
        auto push = sized<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
        push.pRangeProfilerObject = object_;
        push.pRangeName = "case";
        cupti_.cuptiRangeProfilerPushRange(&push);
    }
    void pop() {
        auto pop = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
        pop.pRangeProfilerObject = object_;
        cupti_.cuptiRangeProfilerPopRange(&pop);
    }
    /// Whether all passes are done.
    bool stop() {
        stopped_ = true;
        stop_.pRangeProfilerObject = object_;
        cupti_.cuptiRangeProfilerStop(&stop_);
        return stop_.isAllPassSubmitted != 0;
    }

private:
    const Cupti& cupti_;
    CUpti_RangeProfiler_Object* object_;
    CUpti_RangeProfiler_Stop_Params stop_ =
        sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    bool stopped_ = false;
};

} // namespace

Expected<std::unique_ptr<Profiler>, Failure> Profiler::create(const gpu::Device& device) {
    const auto cupti = load();
    if (!cupti)
        return cupti.error();
    try {
        auto initialize = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
        (*cupti)->cuptiProfilerInitialize(&initialize);
        std::unique_ptr<Profiler> profiler(new Profiler(**cupti, device, chip_of(**cupti, device)));
        if (!profiler->all_.metrics().complete())
            return Failure{Stage::not_run, fmt::format("the chip {} does not count what the scores need (fp32 "
                                                       "operations, DRAM bytes, time)",
                                                       profiler->chip())};
        return profiler;
    } catch (const CuptiError& error) {
        return explain(error);
    }
}

Profiler::Profiler(const Cupti& cupti, const gpu::Device& device, std::string chip)
    : cupti_(cupti), device_(device), all_(cupti, std::move(chip)), plain_(cupti, all_.chip(), false) {
    driver::keep_libraries();
    auto enable = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    enable.ctx = device_.context();
    cupti_.cuptiRangeProfilerEnable(&enable);
    object_ = enable.pRangeProfilerObject;
}

Profiler::~Profiler() {
    if (object_ == nullptr || driver::lost())
        return;
    auto disable = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    disable.pRangeProfilerObject = object_;
    cupti_.cuptiRangeProfilerDisable.result(&disable);
}

Expected<Counts, Failure> Profiler::count(const Counted& counted) {
    for (auto waited = pause * 0;; waited += pause) {
        try {
            return count_once(counted);
        } catch (const CuptiError& error) {
            if (error.result() != CUPTI_ERROR_HARDWARE_BUSY || waited >= patience)
                return explain(error);
        }
        std::this_thread::sleep_for(pause);
    }
}

/// Throws CuptiError.
Expected<Counts, Failure> Profiler::count_once(const Counted& counted) {
    HostProfiler& host = this->host(counted.tensor_cores);
    configure(host);
    for (unsigned done = 0; done < most_passes; ++done) {
        const auto complete = pass(counted);
        if (!complete)
            return complete.error();
        if (!*complete)
            continue;
        auto decode = sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
        decode.pRangeProfilerObject = object_;
        cupti_.cuptiRangeProfilerDecodeData(&decode);
        if (decode.numOfRangeDropped != 0)
            return Failure{Stage::not_run, "the performance counters lost the range that was counted"};
        return host.evaluate(counter_data_);
    }
    return Failure{Stage::not_run, fmt::format("CUPTI did not end after {} passes", most_passes)};
}

void Profiler::configure(HostProfiler& host) {
    std::vector<const char*> names = host.metrics().names();
    auto size =
        sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    cupti_.cuptiRangeProfilerGetCounterDataSize(&size);
    counter_data_.assign(size.counterDataSize, 0);

    auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    image.pRangeProfilerObject = object_;
    image.counterDataSize = counter_data_.size();
    image.pCounterData = counter_data_.data();
    cupti_.cuptiRangeProfilerCounterDataImageInitialize(&image);

    const auto config = host.config_image();
    auto set = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    set.pRangeProfilerObject = object_;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = counter_data_.size();
    set.pCounterDataImage = counter_data_.data();
    set.range = CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.passIndex = 0;
    set.targetNestingLevel = 1;
    cupti_.cuptiRangeProfilerSetConfig(&set);
}

/// Whether it was the last one.
Expected<bool, Failure> Profiler::pass(const Counted& counted) {
    counted.prepare();
    device_.synchronize();
    Pass pass(cupti_, object_);
    pass.push();
    const auto performed = counted.perform();
    if (!performed)
        return performed.error();
    device_.synchronize();
    pass.pop();
    return pass.stop();
}

} // namespace cudabench::counters
