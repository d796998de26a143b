// A libcupti.so without a GPU: it answers as FakeCupti says, notes the calls, and refuses what CUPTI's
// documentation forbids.
#include "tests/kernels/fake_cupti.hpp"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <algorithm>
#include <cstring>

namespace {

perfmodel::kernels::FakeCupti fake;
CUpti_Profiler_Host_Object* const host = reinterpret_cast<CUpti_Profiler_Host_Object*>(&fake.hosts);
CUpti_RangeProfiler_Object* const profiler = reinterpret_cast<CUpti_RangeProfiler_Object*>(&fake.profilers);
const char config[] = "config", available[] = "available", data[] = "data";

CUptiResult called(const char* name, bool right = true) {
  fake.calls.emplace_back(name);
  if (const auto result = fake.results.find(name); result != fake.results.end())
    return static_cast<CUptiResult>(result->second);
  return right ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

bool is(const std::uint8_t* image, std::size_t size, const char* text) {
  return image != nullptr && size == std::strlen(text) + 1 && std::memcmp(image, text, size) == 0;
}

} // namespace

extern "C" {

perfmodel::kernels::FakeCupti* perfmodel::kernels::fake_cupti() { return &fake; }

CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = fake.version;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  *text =
      result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR_X";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params* p) {
  return called("ProfilerInitialize", p->structSize == CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
}
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* p) {
  p->pChipName = "GX1";
  return called("DeviceGetChipName", p->deviceIndex == 3);
}
CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* p) {
  if (p->pCounterAvailabilityImage != nullptr)
    std::memcpy(p->pCounterAvailabilityImage, available, sizeof available);
  else
    p->counterAvailabilityImageSize = sizeof available;
  return called("ProfilerGetCounterAvailability", fake.profilers == 0);
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  p->pHostObject = host;
  ++fake.hosts;
  return called("ProfilerHostInitialize", p->profilerType == CUPTI_PROFILER_TYPE_RANGE_PROFILER &&
                                              std::string("GX1") == p->pChipName &&
                                              is(p->pCounterAvailabilityImage, sizeof available, available));
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* p) {
  --fake.hosts;
  return called("ProfilerHostDeinitialize", p->pHostObject == host);
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
  return called("ProfilerHostConfigAddMetrics",
                std::all_of(p->ppMetricNames, p->ppMetricNames + p->numMetrics,
                            [](const char* metric) { return fake.values.count(metric) == 1; }));
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  p->configImageSize = sizeof config;
  return called("ProfilerHostGetConfigImageSize", p->pHostObject == host);
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* p) {
  std::memcpy(p->pConfigImage, config, std::min(sizeof config, p->configImageSize));
  return called("ProfilerHostGetConfigImage", p->pHostObject == host);
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
  p->numOfPasses = fake.passes;
  return called("ProfilerHostGetNumOfPasses", is(p->pConfigImage, p->configImageSize, config));
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  for (std::size_t i = 0; i < p->numMetrics; ++i) p->pMetricValues[i] = fake.values.at(p->ppMetricNames[i]);
  return called("ProfilerHostEvaluateToGpuValues",
                is(p->pCounterDataImage, p->counterDataImageSize, data) && p->rangeIndex == 0);
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  p->pRangeProfilerObject = profiler;
  const CUptiResult result = called("RangeProfilerEnable", p->ctx == reinterpret_cast<CUcontext>(7));
  if (result == CUPTI_SUCCESS) ++fake.profilers;
  return result;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* p) {
  --fake.profilers;
  return called("RangeProfilerDisable", p->pRangeProfilerObject == profiler);
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
  p->counterDataSize = sizeof data;
  return called("RangeProfilerGetCounterDataSize",
                p->pRangeProfilerObject == profiler && p->maxNumOfRanges == 1 &&
                    p->maxNumRangeTreeNodes == 1 && p->numMetrics == fake.values.size());
}
CUptiResult
cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
  return called("RangeProfilerCounterDataImageInitialize", p->counterDataSize == sizeof data);
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  std::memcpy(p->pCounterDataImage, data, std::min(sizeof data, p->counterDataImageSize));
  fake.stops = 0;
  return called("RangeProfilerSetConfig", p->range == CUPTI_UserRange && p->replayMode == CUPTI_UserReplay &&
                                              p->maxRangesPerPass == 1 && p->numNestingLevels == 1 &&
                                              p->minNestingLevel == 1 && p->targetNestingLevel == 1 &&
                                              is(p->pConfig, p->configSize, config));
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* p) {
  return called("RangeProfilerStart", p->pRangeProfilerObject == profiler);
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* p) {
  p->isAllPassSubmitted = ++fake.stops == fake.passes * fake.stops_per_pass ? 1 : 0;
  return called("RangeProfilerStop", p->pRangeProfilerObject == profiler);
}
CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* p) {
  return called("RangeProfilerPushRange", p->pRangeName != nullptr);
}
CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* p) {
  return called("RangeProfilerPopRange", p->pRangeProfilerObject == profiler);
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* p) {
  p->numOfRangeDropped = fake.dropped;
  return called("RangeProfilerDecodeData", p->pRangeProfilerObject == profiler);
}
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  p->numTotalRanges = fake.ranges;
  return called("RangeProfilerGetCounterDataInfo", is(p->pCounterDataImage, p->counterDataImageSize, data));
}

} // extern "C"
