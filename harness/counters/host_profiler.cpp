#include "counters/host_profiler.h"

#include "counters/parameters.h"

#include <utility>

namespace cudabench::counters {

std::vector<std::string> HostProfiler::chips(const Cupti& cupti) {
    auto supported =
        sized<CUpti_Profiler_Host_GetSupportedChips_Params>(CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
    cupti.cuptiProfilerHostGetSupportedChips(&supported);
    return {supported.ppChipNames, supported.ppChipNames + supported.numChips};
}

HostProfiler::HostProfiler(const Cupti& cupti, std::string chip, bool tensor_cores)
    : cupti_(cupti), chip_(std::move(chip)) {
    auto initialize = sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    initialize.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    initialize.pChipName = chip_.c_str();
    cupti_.cuptiProfilerHostInitialize(&initialize);
    object_ = initialize.pHostObject;
    std::set<std::string, std::less<>> names;
    add_base_metrics(CUPTI_METRIC_TYPE_COUNTER, names);
    metrics_ = Metrics::resolve(names);
    if (!tensor_cores)
        metrics_ = metrics_.without_tensor_cores();
}

HostProfiler::~HostProfiler() {
    auto end = sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    end.pHostObject = object_;
    cupti_.cuptiProfilerHostDeinitialize.result(&end);
}

void HostProfiler::add_base_metrics(CUpti_MetricType type, std::set<std::string, std::less<>>& names) const {
    auto base = sized<CUpti_Profiler_Host_GetBaseMetrics_Params>(CUpti_Profiler_Host_GetBaseMetrics_Params_STRUCT_SIZE);
    base.pHostObject = object_;
    base.metricType = type;
    cupti_.cuptiProfilerHostGetBaseMetrics(&base);
    names.insert(base.ppMetricNames, base.ppMetricNames + base.numMetrics);
}

std::span<const std::uint8_t> HostProfiler::config_image() {
    if (!config_image_.empty())
        return config_image_;
    std::vector<const char*> names = metrics_.names();
    auto add =
        sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = object_;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    cupti_.cuptiProfilerHostConfigAddMetrics(&add);
    auto size =
        sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = object_;
    cupti_.cuptiProfilerHostGetConfigImageSize(&size);
    std::vector<std::uint8_t> image(size.configImageSize);
    auto get = sized<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    get.pHostObject = object_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    cupti_.cuptiProfilerHostGetConfigImage(&get);
    config_image_ = std::move(image);
    return config_image_;
}

std::size_t HostProfiler::passes() {
    const auto image = config_image();
    auto count =
        sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    count.configImageSize = image.size();
    count.pConfigImage = config_image_.data();
    cupti_.cuptiProfilerHostGetNumOfPasses(&count);
    return count.numOfPasses;
}

Counts HostProfiler::evaluate(std::span<const std::uint8_t> counter_data) const {
    std::vector<const char*> names = metrics_.names();
    std::vector<double> values(names.size());
    auto evaluate = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    evaluate.pHostObject = object_;
    evaluate.pCounterDataImage = counter_data.data();
    evaluate.counterDataImageSize = counter_data.size();
    evaluate.ppMetricNames = names.data();
    evaluate.numMetrics = names.size();
    evaluate.pMetricValues = values.data();
    cupti_.cuptiProfilerHostEvaluateToGpuValues(&evaluate);
    return metrics_.evaluate(values);
}

} // namespace cudabench::counters
