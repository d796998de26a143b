// Which of a roofline's many ceilings are its roof: the selected precision's rate and the selected level's
// bandwidth.
#pragma once

#include "roofline_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct Limits {
  double rate = absent, bandwidth = absent;
  double at(double intensity) const { return std::min(rate, bandwidth * intensity); }
};

// Roofs of more devices are named at their ends alone.
inline constexpr std::size_t most_named_devices = 6;

struct RooflineMachine {
  RooflineTables tables;
  std::vector<std::string> gpus; // in the order of the tables
  std::string precision, level;  // of the roof
  std::vector<std::string> precisions_of_points;

  bool is_crowded() const { return gpus.size() > most_named_devices; }

  // The best specified rate, a measured one where nothing is specified; nullptr when the device has none.
  const ComputeRow* rate(const std::string& gpu, const std::string& of_precision) const;
  const BandwidthRow* bandwidth(const std::string& gpu, const std::string& of_level) const;

  // The same for the roof that is drawn; a device without the selected precision or level shows its first,
  // or for L1 that of shared memory.
  const ComputeRow& roof(const std::string& gpu) const;
  const BandwidthRow& slope(const std::string& gpu) const;

  // What a point's device, precision and level allow: infinite where only the other is known, NaN when the
  // device is not in the tables.
  Limits limits(const PointRow& point) const;
  // The same at its intensity.
  double limit(const PointRow& point) const;
};

// Precision: `precision` if given, else the points' own, else fp32. Level: the points' own if it is one, else
// DRAM.
RooflineMachine machine_of(const Result& predicted, const std::vector<PointRow>& measured,
                           const std::string& precision);

} // namespace perfmodel::plots
