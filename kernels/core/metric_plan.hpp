// What a set of metrics needs of a chip: which counters, in how many passes, and their values from what was
// counted. Runs on the host alone.
#pragma once

#include "kernels/core/cupti.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perfmodel::kernels {

using Image = std::vector<std::uint8_t>; // CUPTI's own formats

class MetricPlan {
public:
  // `available` is what the device lets itself be asked for. Throws MachineError naming a metric that the
  // chip has not.
  MetricPlan(std::shared_ptr<const Cupti> cupti, std::string chip, Image available,
             std::vector<std::string> metrics);
  MetricPlan(const MetricPlan&) = delete;
  MetricPlan& operator=(const MetricPlan&) = delete;
  ~MetricPlan();

  const Image& config() const { return config_; }
  std::size_t passes() const { return passes_; }
  std::vector<const char*> names() const;
  // In the order of the metrics. Throws MachineError where there is no value.
  std::vector<double> values(const Image& data) const;

private:
  CUpti_Profiler_Host_Object* host() const; // a new one
  void release(CUpti_Profiler_Host_Object* object) const;
  CUptiResult add(CUpti_Profiler_Host_Object* object, std::vector<const char*> metrics) const;
  void add_all();

  std::shared_ptr<const Cupti> cupti_;
  std::string chip_;
  Image available_;
  std::vector<std::string> metrics_;
  CUpti_Profiler_Host_Object* object_;
  Image config_;
  std::size_t passes_ = 0;
};

} // namespace perfmodel::kernels
