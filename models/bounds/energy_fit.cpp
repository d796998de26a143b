#include "energy_fit.hpp"

#include "models/core/least_squares.hpp"

#include <algorithm>
#include <array>

namespace perfmodel {

namespace {

struct EnergyTerm {
  std::string fact;
  double (*rate)(const EnergySample&);
};

// In this order; a term that no sample has is left out.
const std::array<EnergyTerm, 7>& energy_terms() {
  static const std::array<EnergyTerm, 7> all{
      EnergyTerm{"power.constant", [](const EnergySample&) { return 1.0; }},
      EnergyTerm{"power.per_degree",
                 [](const EnergySample& s) { return s.temperature - reference_temperature; }},
      EnergyTerm{"energy.dram", [](const EnergySample& s) { return s.dram_bytes; }},
      EnergyTerm{"energy.l2", [](const EnergySample& s) { return s.l2_bytes; }},
      EnergyTerm{"energy.fp32", [](const EnergySample& s) { return s.precision == "fp32" ? s.flops : 0; }},
      EnergyTerm{"energy.fp64", [](const EnergySample& s) { return s.precision == "fp64" ? s.flops : 0; }},
      EnergyTerm{"energy.bf16_tensor",
                 [](const EnergySample& s) { return s.precision == "bf16" ? s.flops : 0; }}};
  return all;
}

// What each degree adds, as shares of the most power seen; and the errors of samples, by which that row
// weighs.
constexpr double leak_per_degree = 0.0025, leak_deviation = 0.0015, scatter = 0.01;

// Two-sided 95 % points of Student's t by degrees of freedom; from 30 on those of the normal distribution do.
double t_95(std::size_t freedom) {
  constexpr std::array t{12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                         2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                         2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return freedom <= t.size() ? t[freedom - 1] : 1.96;
}

} // namespace

std::vector<EnergyCost> fit_energy(std::span<const EnergySample> samples) {
  std::vector<const EnergyTerm*> asked;
  for (const EnergyTerm& term : energy_terms())
    if (std::any_of(samples.begin(), samples.end(), [&](const EnergySample& s) { return term.rate(s) != 0; }))
      asked.push_back(&term);
  const std::size_t n = samples.size(), m = asked.size();
  if (n <= m) return {};
  const auto by_power = [](const EnergySample& a, const EnergySample& b) { return a.power < b.power; };
  const double most = std::max_element(samples.begin(), samples.end(), by_power)->power;
  const auto degree = std::find_if(asked.begin(), asked.end(),
                                   [](const EnergyTerm* term) { return term->fact == "power.per_degree"; });
  const std::size_t known = degree == asked.end() ? 0 : 1; // the row of leakage, behind the samples
  const double weight = scatter / (leak_deviation * most);
  const std::vector<Fitted> fitted = least_squares(
      n + known, m,
      [&](std::size_t row, std::size_t c) {
        if (row == n) return asked[c] == *degree ? weight : 0.0;
        return asked[c]->rate(samples[row]) / samples[row].power;
      },
      [&](std::size_t row) { return row == n ? weight * leak_per_degree * most : 1.0; });
  if (fitted.empty()) return {};
  const double t = t_95(n - m);
  std::vector<EnergyCost> costs;
  for (std::size_t c = 0; c < m; ++c) {
    const double value = fitted[c].value, half = t * fitted[c].deviation;
    costs.push_back({asked[c]->fact, value, value - half, value + half});
  }
  return costs;
}

} // namespace perfmodel
