// The order of calls is that of CUPTI's documentation ("Range Profiling API"), with a user range replayed by
// the user: kernel replay would save and restore gigabytes between passes.
#include "kernels/core/counters.hpp"

#include "kernels/core/metric_plan.hpp"
#include "kernels/core/session.hpp"

#include <utility>

namespace perfmodel::kernels {
namespace {

std::string chip_of(const Cupti& cupti, int device) {
  auto chip = cupti.chip_name.parameters();
  chip.deviceIndex = static_cast<std::size_t>(device);
  cupti(cupti.chip_name, chip);
  return chip.pChipName;
}

Image availability_of(const Cupti& cupti, CUcontext context) {
  auto available = cupti.availability.parameters();
  available.ctx = context;
  cupti(cupti.availability, available);
  Image image(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = image.data();
  cupti(cupti.availability, available);
  return image;
}

void* current_context() {
  const Library driver({"libcuda.so.1"});
  const auto current = driver.find<int(void**)>("cuCtxGetCurrent");
  void* context = nullptr;
  if (current == nullptr || current(&context) != 0 || context == nullptr)
    throw MachineError("counting needs a CUDA context, and libcuda.so.1 has none");
  return context;
}

std::shared_ptr<const Cupti> cupti_of(const Session& session) {
  if (session.cupti == nullptr) throw MachineError("this session was not opened for counters");
  return session.cupti;
}

} // namespace

// CUPTI's range profiler on one context.
struct Counters::Profiler {
  Profiler(std::shared_ptr<const Cupti> library, CUcontext context, int device,
           std::vector<std::string> metrics, std::function<void()> wait_for_launch)
      : cupti(std::move(library)),
        // Asked before the profiler is on: CUPTI refuses it after.
        plan{cupti, chip_of(*cupti, device), availability_of(*cupti, context), std::move(metrics)},
        wait(std::move(wait_for_launch)) {
    auto enable = cupti->enable.parameters();
    enable.ctx = context;
    (*cupti)(cupti->enable, enable);
    object = enable.pRangeProfilerObject;
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
  ~Profiler() {
    auto disable = cupti->disable.parameters();
    disable.pRangeProfilerObject = object;
    (void)cupti->disable.call(&disable); // a destructor cannot report; the next checked call will
  }

  template <class Parameters> Parameters parameters_of(const CuptiFunction<Parameters>& function) const {
    Parameters parameters = function.parameters();
    parameters.pRangeProfilerObject = object;
    return parameters;
  }
  template <class Parameters> Parameters call(const CuptiFunction<Parameters>& function) const {
    Parameters parameters = parameters_of(function);
    (*cupti)(function, parameters);
    return parameters;
  }

  // Room for the counts of one range.
  Image empty_data() const {
    std::vector<const char*> names = plan.names();
    auto size = parameters_of(cupti->data_size);
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    (*cupti)(cupti->data_size, size);
    Image data(size.counterDataSize);
    auto initialize = parameters_of(cupti->data_initialize);
    initialize.counterDataSize = data.size();
    initialize.pCounterData = data.data();
    (*cupti)(cupti->data_initialize, initialize);
    return data;
  }

  // The profiler writes into `data` until it is configured anew.
  void configure(Image& data) const {
    auto config = parameters_of(cupti->set_config);
    config.pConfig = plan.config().data();
    config.configSize = plan.config().size();
    config.pCounterDataImage = data.data();
    config.counterDataImageSize = data.size();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = 1;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.targetNestingLevel = 1;
    config.passIndex = 0;
    (*cupti)(cupti->set_config, config);
  }

  // Returns whether it was the last pass.
  bool pass(const std::function<void()>& launch) const {
    call(cupti->start);
    auto range = parameters_of(cupti->push);
    range.pRangeName = "launch";
    (*cupti)(cupti->push, range);
    launch();
    wait(); // the range must hold all of the launch
    call(cupti->pop);
    return call(cupti->stop).isAllPassSubmitted != 0;
  }

  std::size_t ranges_in(const Image& data) const {
    auto info = cupti->data_info.parameters();
    info.pCounterDataImage = data.data();
    info.counterDataImageSize = data.size();
    (*cupti)(cupti->data_info, info);
    return info.numTotalRanges;
  }

  std::shared_ptr<const Cupti> cupti;
  MetricPlan plan;
  std::function<void()> wait;
  CUpti_RangeProfiler_Object* object = nullptr;
};

Counters::Counters(std::shared_ptr<const Cupti> cupti, void* context, int device,
                   std::vector<std::string> metrics, std::function<void()> wait)
    : profiler_(std::make_unique<Profiler>(std::move(cupti), static_cast<CUcontext>(context), device,
                                           std::move(metrics), std::move(wait))) {}

Counters::Counters(Session& session, std::vector<std::string> metrics)
    : Counters(cupti_of(session), current_context(), session.device.index, std::move(metrics), [&session] {
        PERFMODEL_CUDA(cudaGetLastError()); // of the launch
        session.stream.synchronize();
      }) {}

Counters::~Counters() = default;

std::size_t Counters::passes() const { return profiler_->plan.passes(); }

std::vector<double> Counters::count(const std::function<void()>& launch,
                                    const std::function<void()>& prepare) {
  Image data = profiler_->empty_data();
  profiler_->configure(data);
  for (std::size_t pass = 1;; ++pass) {
    if (prepare) {
      prepare();
      profiler_->wait();
    }
    if (profiler_->pass(launch)) break;
    // An end, should CUPTI never say that it has all.
    if (pass > 2 * passes())
      throw MachineError("the hardware counters are not complete after all of their passes");
  }
  if (profiler_->call(profiler_->cupti->decode).numOfRangeDropped != 0 || profiler_->ranges_in(data) != 1)
    throw MachineError("CUPTI lost what it counted");
  return profiler_->plan.values(data);
}

} // namespace perfmodel::kernels
