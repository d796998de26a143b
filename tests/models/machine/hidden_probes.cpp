// What is known of the H200 is hidden, and carried over from other GPUs instead.
#include "h200_questions.hpp"

#include "models/core/error.hpp"
#include "models/core/fact_readers.hpp"
#include "models/core/facts.hpp"
#include "models/machine/inherit.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace perfmodel::hidden_probes_test {

using namespace h200_questions;

// An A100 of which everything is known: its own facts, and else what the rules carry over from the H200.
Gpu a100_like() {
  const std::vector<Gpu> donors{h200()};
  Gpu gpu = with_estimates(database().gpu("a100-80"), donors);
  for (const KeyInfo& key : all_keys())
    if (const auto cost = gpu.cost_of(key.path); cost && cost->grade != Grade::known)
      gpu = with_fact(std::move(gpu), key.path,
                      key.dimension == Dimension{} ? std::round(cost->value) : cost->value);
  gpu.name = "a100-like";
  return gpu;
}

// Whether the model reads what the probe finds.
bool read_by(std::string_view model, std::string_view probe) {
  for (const KeyInfo& key : all_keys())
    if (key.probe == probe && readers_of(key).find(model) != std::string_view::npos) return true;
  return false;
}

// Hiding a probe moves a family by more than 10 points only where its rows say that they rest on an estimate.
void hide_and_compare(const std::vector<Gpu>& donors, const std::vector<std::string>& probes) {
  const Gpu known = with_estimates(h200(), donors);
  const Gpu hidden = with_estimates(without_probes(known, probes, database().gpu("h200")), donors);
  static std::map<std::string, Answers> of_known; // whatever the donors: there is nothing to estimate
  for (const Question& q : questions()) {
    if (probes.front() != "all" && !read_by(q.model, probes.front())) continue;
    Answers& before = of_known[fmt::format("{}{}", q.model, q.inputs.empty() ? "" : q.inputs.front().second)];
    if (before.numbers.empty()) before = answers_of(q, known);
    Answers after;
    try {
      after = answers_of(q, hidden);
    } catch (const InputError&) {
      continue; // it refuses, and names what it lacks
    }
    ASSERT_EQ(before.numbers.size(), after.numbers.size()) << q.model;
    double moved = 0;
    std::size_t silent = 0;
    for (std::size_t i = 0; i < before.numbers.size(); ++i) {
      const double change = std::fabs(after.numbers[i] / before.numbers[i] - 1);
      moved += change / static_cast<double>(before.numbers.size());
      silent += change > 0.1 && after.grades[i] == "known";
    }
    EXPECT_EQ(silent, 0u) << q.model << " without " << probes.front();
    std::printf("%-20s without %-22s %6.1f %%  %s\n", q.model, probes.front().c_str(), 100 * moved,
                after.grades.empty() ? "" : after.grades.front().c_str());
  }
}

std::set<std::string> probes_of_costs() {
  std::set<std::string> probes;
  for (const KeyInfo& key : all_keys())
    if (!key.probe.empty()) probes.emplace(key.probe);
  return probes;
}

TEST(Hiding, one_probe_at_a_time_from_the_data_sheets_of_other_gpus) {
  std::vector<Gpu> donors;
  for (const std::string& name : database().names()) donors.push_back(database().gpu(name));
  for (const std::string& probe : probes_of_costs()) hide_and_compare(donors, {probe});
}

TEST(Hiding, all_probes_from_data_sheets) {
  std::vector<Gpu> donors;
  for (const std::string& name : database().names()) donors.push_back(database().gpu(name));
  hide_and_compare(donors, {"all"});
}

TEST(Hiding, all_probes_from_a_gpu_like_the_a100) { hide_and_compare({a100_like()}, {"all"}); }

} // namespace perfmodel::hidden_probes_test
