#include "kernels/core/metric_plan.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace perfmodel::kernels {

MetricPlan::MetricPlan(std::shared_ptr<const Cupti> cupti, std::string chip, Image available,
                       std::vector<std::string> metrics)
    : cupti_(std::move(cupti)), chip_(std::move(chip)), available_(std::move(available)),
      metrics_(std::move(metrics)), object_(host()) {
  try {
    add_all();
  } catch (...) {
    release(object_);
    throw;
  }
}

MetricPlan::~MetricPlan() { release(object_); }

void MetricPlan::add_all() {
  // All at once: one by one each would get a pass of its own.
  if (const CUptiResult all = add(object_, names()); all != CUPTI_SUCCESS) {
    // CUPTI does not say which one it was.
    for (const std::string& metric : metrics_) {
      CUpti_Profiler_Host_Object* alone = host();
      const CUptiResult result = add(alone, {metric.c_str()});
      release(alone);
      if (result != CUPTI_SUCCESS)
        throw MachineError(fmt::format("the hardware of this GPU ({}) does not count '{}'", chip_, metric));
    }
    cupti_->check(all, cupti_->add_metrics.name);
  }
  auto size = cupti_->config_size.parameters();
  size.pHostObject = object_;
  (*cupti_)(cupti_->config_size, size);
  config_.resize(size.configImageSize);
  auto config = cupti_->config_image.parameters();
  config.pHostObject = object_;
  config.configImageSize = config_.size();
  config.pConfigImage = config_.data();
  (*cupti_)(cupti_->config_image, config);
  auto passes = cupti_->pass_count.parameters();
  passes.configImageSize = config_.size();
  passes.pConfigImage = config_.data();
  (*cupti_)(cupti_->pass_count, passes);
  passes_ = passes.numOfPasses;
}

std::vector<const char*> MetricPlan::names() const {
  std::vector<const char*> names;
  for (const std::string& metric : metrics_) names.push_back(metric.c_str());
  return names;
}

std::vector<double> MetricPlan::values(const Image& data) const {
  std::vector<double> values(metrics_.size(), NAN);
  std::vector<const char*> asked = names();
  auto evaluate = cupti_->evaluate.parameters();
  evaluate.pHostObject = object_;
  evaluate.pCounterDataImage = data.data();
  evaluate.counterDataImageSize = data.size();
  evaluate.rangeIndex = 0;
  evaluate.ppMetricNames = asked.data();
  evaluate.numMetrics = asked.size();
  evaluate.pMetricValues = values.data();
  (*cupti_)(cupti_->evaluate, evaluate);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw MachineError(fmt::format("counting '{}' gave no value on this GPU ({})", metrics_[i], chip_));
  return values;
}

CUpti_Profiler_Host_Object* MetricPlan::host() const {
  auto host = cupti_->host_initialize.parameters();
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip_.c_str();
  host.pCounterAvailabilityImage = available_.data();
  (*cupti_)(cupti_->host_initialize, host);
  return host.pHostObject;
}

void MetricPlan::release(CUpti_Profiler_Host_Object* object) const {
  auto host = cupti_->host_deinitialize.parameters();
  host.pHostObject = object;
  (void)cupti_->host_deinitialize.call(&host); // nothing to be done about it
}

CUptiResult MetricPlan::add(CUpti_Profiler_Host_Object* object, std::vector<const char*> metrics) const {
  auto add = cupti_->add_metrics.parameters();
  add.pHostObject = object;
  add.ppMetricNames = metrics.data();
  add.numMetrics = metrics.size();
  return cupti_->add_metrics.call(&add);
}

} // namespace perfmodel::kernels
