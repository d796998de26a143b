// Every model on every GPU at four or five sizes: no answer beats a roof that applies to it, none is quicker
// than a launch and one load, and what rests on a cost that nobody measured says so.
#include "tests/models/ask.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/error.hpp"
#include "models/machine/caches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace perfmodel::every_answer_test {

constexpr double rounding = 1 + 1e-9;

bool is_what_if(const Gpu& gpu) {
  return std::any_of(gpu.facts.begin(), gpu.facts.end(),
                     [](const auto& fact) { return fact.second.layer == Layer::set; });
}

double cost(const Gpu& gpu, const auto& key) { return gpu.cost(key).value; }

// The size of a model's problem, and five values of it; none for models that have no size.
Words size_of(const Model& m, std::size_t i) {
  const auto has = [&](const char* name) { return m.find(name) != nullptr; };
  constexpr std::array squares{"1", "16", "100", "500", "4096"},
      lines{"2", "1000", "65536", "16777216", "67108864"};
  const std::string_view name = m.info.name;
  if (name == "transpose") return {{"n", squares[i]}};
  if (name == "matmul") return {{"n", std::array{"1", "16", "100", "256", "500"}[i]}};
  if (name == "suffix-sums") return {{"blocks", std::array{"1", "10", "1000", "10000", "100000"}[i]}};
  if (name == "reduction" || name == "pi") return {{"n", lines[i]}};
  if (has("threads")) return {{"threads", std::array{"32", "64", "256", "512", "1024"}[i]}};
  if (has("stride")) return {{"stride", std::array{"1", "2", "5", "32", "33"}[i]}};
  if (has("segment")) return {{"segment", std::array{"32", "64", "128", "512", "4096"}[i]}};
  return {};
}

// A GPU's fastest rate of each kind, printed or, as --set leaves it, worked out.
double peak_of(const Gpu& gpu) {
  double most = 0;
  Plain plain;
  for (const ArithmeticUnit* unit : units_of(gpu, std::nullopt)) {
    most = std::max(most, base_value(peak(gpu, *unit, plain)));
    const FactRecord* printed = gpu.record(unit->peak);
    if (printed != nullptr && !is_what_if(gpu)) most = std::max(most, printed->values.front());
  }
  return most;
}

// Loads through whatever is nearest; a launch; seconds.
double least_time(const Gpu& gpu) {
  const double clock = gpu.at(facts::clock).value.value;
  const double load = has_l2(gpu) ? cost(gpu, facts::l2_latency) : cost(gpu, facts::dram_latency);
  return cost(gpu, facts::kernel_turnover) + load / clock;
}

// Bytes that a version of a sum or a transpose moves.
std::optional<double> moved(const Model& m, double n) {
  if (m.info.name == "reduction") return 4 * n;
  if (m.info.name == "transpose") return 8 * n * n;
  return std::nullopt;
}

void check_row(const Model& m, const Gpu& gpu, const Table& table, std::size_t row) {
  const auto number = [&](const char* column) -> std::optional<double> {
    const Column* c = table.find(column);
    if (c == nullptr || c->is_text() || std::isnan(c->number(row))) return std::nullopt;
    return c->number(row);
  };
  const std::string where =
      std::string(m.info.name) + " on " + gpu.name + ", '" + table.title + "' row " + std::to_string(row);
  for (const char* share : {"of_peak", "of_pin", "of_roof", "efficiency", "occupancy"}) {
    const Column* c = table.find(share);
    if (c != nullptr && !(c->unit.dimension == Dimension{})) continue; // flop/J are no share
    EXPECT_LE(number(share).value_or(0), rounding) << where << ": " << share;
  }
  const Column* version = table.find("version");
  const bool loads = version == nullptr || version->text(row) != "unsummed"; // of pi's, that only stores
  const bool a_ladder = m.info.simulated && table.title == "versions" && loads;
  if (a_ladder) {
    EXPECT_GE(number("time").value_or(1) * rounding, least_time(gpu)) << where;
  }
  // More than L2 keeps comes no faster than the pins of device memory: 2^24 words on an RTX 4090 did. Where
  // the answer says that arrays stay in L2, from one launch to the next, they fit there, and L2 is the roof
  // of of_roof.
  const auto n = a_ladder ? number("n") : std::nullopt;
  const auto bytes = n ? moved(m, *n) : std::nullopt;
  const Column* level = table.find("level");
  const bool stays = level != nullptr ? level->text(row) == "l2" : number("dram_bytes") == 0.0;
  if (bytes && stays) {
    EXPECT_LE(*bytes, has_l2(gpu) ? cost(gpu, facts::l2_size) : 0) << where;
  } else if (bytes && (!has_l2(gpu) || *bytes > cost(gpu, facts::l2_shared_capacity))) {
    EXPECT_LE(number("bandwidth").value_or(0), cost(gpu, facts::dram_bandwidth) * rounding) << where;
  }
  // A roof is worked out of what its printed figure rounds, by 1 % at most (hwdb/files.cpp).
  const double printed = table.title == "kernels" ? 1.01 : rounding;
  EXPECT_LE(number("performance").value_or(0), peak_of(gpu) * printed) << where;
  // What all SMs stream passes the pins and, where there is one, L2.
  if (m.info.name == "memory-parallelism" || m.info.name == "segment-rate") {
    const double l2 = has_l2(gpu) ? cost(gpu, facts::sustained_l2) : std::numeric_limits<double>::infinity();
    EXPECT_LE(number("bandwidth").value_or(0), std::min(cost(gpu, facts::dram_bandwidth), l2) * rounding)
        << where;
  }
  const Column* grade = table.find("grade");
  ASSERT_NE(grade, nullptr) << where;
  EXPECT_TRUE(std::find(std::begin(grade_names), std::end(grade_names), grade->text(row)) !=
              std::end(grade_names))
      << where;
}

// The GPUs that there are, and some with a fact set far from what was measured on them.
std::vector<Gpu> gpus_and_what_ifs() {
  std::vector<Gpu> all = every_gpu();
  for (const char* name : {"h200", "gtx280"})
    for (const auto& [fact, part] : {std::pair("dram.bandwidth", 0.4), {"clock", 0.5}, {"sm_count", 0.1}}) {
      const Gpu gpu = measured_gpu(name);
      all.push_back(with_fact(gpu, fact, std::floor(gpu.cost_of(fact)->value * part)));
    }
  return all;
}

TEST(EveryAnswer, beats_no_roof_and_no_latency_and_has_a_grade) {
  const std::vector<Gpu> gpus = gpus_and_what_ifs();
  for (const Model& m : models())
    for (std::size_t g = 0; g < gpus.size(); ++g)
      for (std::size_t i = 0; i < 5; ++i) {
        const Gpu& gpu = gpus[g];
        const Words size = size_of(m, i);
        if (size.empty() && i > 0) break;
        // What takes long: with facts set one size, and of the two largest one on each GPU, in turns.
        if (m.info.simulated && (is_what_if(gpu) ? i != 3 : i >= 3 && (g + i) % 2 == 1)) continue;
        Result result;
        try {
          Request request = request_of(m, size);
          request.quick_grades = true;
          result = predict(m, std::span(&gpu, 1), request);
        } catch (const InputError&) { // of this GPU there is no such answer, and it says why
          continue;
        }
        for (const Table& table : result.tables)
          for (std::size_t row = 0; row < table.rows(); ++row) check_row(m, gpu, table, row);
      }
}

} // namespace perfmodel::every_answer_test
