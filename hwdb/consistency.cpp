#include "fact_file.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel::hwdb {

namespace {

void check_peaks(const Gpu& gpu, std::vector<std::string>& slips) {
  for (const ArithmeticUnit& unit : arithmetic_units()) {
    const auto printed = gpu.find(unit.peak);
    if (!printed || gpu.record(unit.throughput.path) == nullptr) continue;
    Plain plain;
    const double product = base_value(peak(gpu, unit, plain)), value = base_value(printed->value);
    if (std::fabs(product / value - 1) > 0.01)
      slips.push_back(fmt::format("{}: {} is {}, but SMs x throughput x operations x clock is {}",
                                  printed->record->place, unit.peak.path,
                                  format_quantity(value, unit_of<FlopsPerSecond>()),
                                  format_quantity(product, unit_of<FlopsPerSecond>())));
  }
}

void check_bandwidth(const Gpu& gpu, std::vector<std::string>& slips) {
  const auto pin = gpu.find(facts::dram_bandwidth);
  const auto bus = gpu.find(facts::dram_bus);
  const auto rate = gpu.find(facts::dram_data_rate);
  if (!pin || !bus || !rate) return;
  const double product =
      base_value(bus->value) * 8 * base_value(rate->value); // one pin carries one bit of the bus
  if (std::fabs(product / base_value(pin->value) - 1) > 0.01)
    slips.push_back(fmt::format("{}: dram.bandwidth is {}, but bus x data rate is {}", pin->record->place,
                                format_quantity(base_value(pin->value), unit_of<BytesPerSecond>()),
                                format_quantity(product, unit_of<BytesPerSecond>())));
}

void check_latencies(const Gpu& gpu, std::vector<std::string>& slips) {
  const Key<Cycles> rising[] = {facts::l1_latency, facts::l2_latency, facts::l2_latency_far,
                                facts::dram_latency};
  const Key<Cycles>* below = nullptr;
  for (const Key<Cycles>& key : rising) {
    const auto here = gpu.find(key);
    if (!here) continue;
    if (below != nullptr && !(gpu.at(*below).value < here->value))
      slips.push_back(fmt::format("{}: {} is not above {}", here->record->place, key.path, below->path));
    below = &key;
  }
}

} // namespace

std::vector<std::string> inconsistencies(const Gpu& gpu) {
  std::vector<std::string> slips;
  check_peaks(gpu, slips);
  check_bandwidth(gpu, slips);
  check_latencies(gpu, slips);
  return slips;
}

} // namespace perfmodel::hwdb
