#include "roofline_machine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel::plots {

namespace {
// The row with the largest value among those that fit, specified ones first.
template <class Row, class Fits, class Value>
const Row* best(const std::vector<Row>& rows, Fits fits, Value value) {
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (!fits(row)) continue;
    const bool measured = row.basis == "measured";
    if (!found || (found->basis == "measured") > measured ||
        ((found->basis == "measured") == measured && value(row) > value(*found)))
      found = &row;
  }
  return found;
}

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (!item.empty() && std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::string preferred(const std::vector<std::string>& candidates, const std::string& favourite) {
  const bool there = std::find(candidates.begin(), candidates.end(), favourite) != candidates.end();
  return there || candidates.empty() ? favourite : candidates.front();
}
} // namespace

const ComputeRow* RooflineMachine::rate(const std::string& gpu, const std::string& of_precision) const {
  return best(
      tables.compute, [&](const ComputeRow& r) { return r.gpu == gpu && r.precision == of_precision; },
      [](const ComputeRow& r) { return r.rate; });
}

const BandwidthRow* RooflineMachine::bandwidth(const std::string& gpu, const std::string& of_level) const {
  return best(
      tables.bandwidth, [&](const BandwidthRow& r) { return r.gpu == gpu && r.level == of_level; },
      [](const BandwidthRow& r) { return r.bandwidth; });
}

const ComputeRow& RooflineMachine::roof(const std::string& gpu) const {
  if (const ComputeRow* row = rate(gpu, precision)) return *row;
  return *std::find_if(tables.compute.begin(), tables.compute.end(),
                       [&](const auto& r) { return r.gpu == gpu; });
}

const BandwidthRow& RooflineMachine::slope(const std::string& gpu) const {
  if (const BandwidthRow* row = bandwidth(gpu, level)) return *row;
  if (const BandwidthRow* row = level == "l1" ? bandwidth(gpu, "shared") : nullptr)
    return *row; // as roofline
  return *std::find_if(tables.bandwidth.begin(), tables.bandwidth.end(),
                       [&](const auto& r) { return r.gpu == gpu; });
}

Limits RooflineMachine::limits(const PointRow& point) const {
  const std::string gpu = point.gpu.empty() && gpus.size() == 1 ? gpus.front() : point.gpu;
  if (std::find(gpus.begin(), gpus.end(), gpu) == gpus.end()) return {};
  const ComputeRow* compute = rate(gpu, point.precision.empty() ? precision : point.precision);
  const BandwidthRow* memory = bandwidth(gpu, point.level.empty() ? level : point.level);
  if (!compute && !memory) return {};
  return {compute ? compute->rate : INFINITY, memory ? memory->bandwidth : INFINITY};
}

double RooflineMachine::limit(const PointRow& point) const { return limits(point).at(point.intensity); }

RooflineMachine machine_of(const Result& predicted, const std::vector<PointRow>& measured,
                           const std::string& precision) {
  RooflineMachine m;
  m.tables = read_roofline(predicted);
  std::vector<std::string> rated, precisions, levels;
  for (const ComputeRow& row : m.tables.compute) add_once(rated, row.gpu);
  for (const BandwidthRow& row : m.tables.bandwidth)
    if (std::find(rated.begin(), rated.end(), row.gpu) != rated.end()) add_once(m.gpus, row.gpu);
  for (const auto* points : {&std::as_const(m.tables.kernels), &measured})
    for (const PointRow& point : *points)
      add_once(precisions, point.precision), add_once(levels, point.level);
  m.precisions_of_points = precisions;
  if (precisions.empty())
    for (const ComputeRow& row : m.tables.compute) add_once(precisions, row.precision);
  m.precision = precision.empty() ? preferred(precisions, "fp32") : precision;
  if (levels.empty()) add_once(levels, m.tables.level);
  m.level = preferred(levels, "dram");
  return m;
}

} // namespace perfmodel::plots
