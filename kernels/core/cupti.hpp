// CUPTI's functions for counting, found at run time: nothing links to the library. For counters.cpp and
// cupti.cpp alone; compiled only where the toolkit brings the headers.
#pragma once

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <cstdint>
#include <string>

namespace perfmodel::kernels {

template <class Parameters> struct CuptiFunction {
  const char* name;
  std::size_t size; // of its parameters, as this build's headers have them: CUPTI tells versions apart by it
  CUptiResult (*call)(Parameters*) = nullptr;

  Parameters parameters() const { return {size}; }
};

struct Cupti {
  CuptiFunction<CUpti_Profiler_Initialize_Params> initialize{"cuptiProfilerInitialize",
                                                             CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Device_GetChipName_Params> chip_name{"cuptiDeviceGetChipName",
                                                           CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_GetCounterAvailability_Params> availability{
      "cuptiProfilerGetCounterAvailability", CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};

  CuptiFunction<CUpti_Profiler_Host_Initialize_Params> host_initialize{
      "cuptiProfilerHostInitialize", CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_Deinitialize_Params> host_deinitialize{
      "cuptiProfilerHostDeinitialize", CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_ConfigAddMetrics_Params> add_metrics{
      "cuptiProfilerHostConfigAddMetrics", CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_GetConfigImageSize_Params> config_size{
      "cuptiProfilerHostGetConfigImageSize", CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_GetConfigImage_Params> config_image{
      "cuptiProfilerHostGetConfigImage", CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_GetNumOfPasses_Params> pass_count{
      "cuptiProfilerHostGetNumOfPasses", CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_Profiler_Host_EvaluateToGpuValues_Params> evaluate{
      "cuptiProfilerHostEvaluateToGpuValues", CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};

  CuptiFunction<CUpti_RangeProfiler_Enable_Params> enable{"cuptiRangeProfilerEnable",
                                                          CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_Disable_Params> disable{"cuptiRangeProfilerDisable",
                                                            CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_GetCounterDataSize_Params> data_size{
      "cuptiRangeProfilerGetCounterDataSize", CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_CounterDataImage_Initialize_Params> data_initialize{
      "cuptiRangeProfilerCounterDataImageInitialize",
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_GetCounterDataInfo_Params> data_info{
      "cuptiRangeProfilerGetCounterDataInfo", CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_SetConfig_Params> set_config{
      "cuptiRangeProfilerSetConfig", CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_Start_Params> start{"cuptiRangeProfilerStart",
                                                        CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_Stop_Params> stop{"cuptiRangeProfilerStop",
                                                      CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_PushRange_Params> push{"cuptiRangeProfilerPushRange",
                                                           CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_PopRange_Params> pop{"cuptiRangeProfilerPopRange",
                                                         CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE};
  CuptiFunction<CUpti_RangeProfiler_DecodeData_Params> decode{
      "cuptiRangeProfilerDecodeData", CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};

  CUptiResult (*get_version)(std::uint32_t*) = nullptr;
  CUptiResult (*get_result_string)(CUptiResult, const char**) = nullptr;

  // The functions of the library that is open as `handle`; `missing` names the first that it has not.
  explicit Cupti(void* handle);
  std::string missing;

  // Throws MachineError with what to do about it.
  template <class Parameters>
  void operator()(const CuptiFunction<Parameters>& function, Parameters& parameters) const {
    check(function.call(&parameters), function.name);
  }
  void check(CUptiResult result, const char* function) const;
};

} // namespace perfmodel::kernels
