// The H100 with the H200's memory answers as the H200 does.
#include "h200_questions.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/machine/inherit.hpp"
#include "tests/small_problem.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>

namespace perfmodel::equal_chips_test {

using namespace h200_questions;

// What each row is about, the GPU's name apart; of several about the same their number.
std::vector<std::string> keys_of(const Table& table) {
  std::map<std::string, int> seen;
  std::vector<std::string> all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string keys;
    for (const Column& column : table.columns)
      if (column.role == Role::key && column.name != "gpu") keys += column.text(row) + "; ";
    all.push_back(fmt::format("{}{}; ", keys, ++seen[keys]));
  }
  return all;
}

// Every number that both answers predict of the same, where a launch of b costs `launch` times that of a;
// returns how many.
std::size_t expect_near(const Result& a, const Result& b, double launch, double tolerance) {
  std::size_t compared = 0;
  for (const Table& of_a : a.tables)
    for (const Table& of_b : b.tables) {
      if (of_a.title != of_b.title) continue;
      const std::vector<std::string> keys_of_a = keys_of(of_a), keys_of_b = keys_of(of_b);
      for (std::size_t row = 0; row < of_a.rows(); ++row) {
        const auto at = std::find(keys_of_b.begin(), keys_of_b.end(), keys_of_a[row]);
        if (at == keys_of_b.end()) continue; // of what was measured on one of them alone
        const auto same = static_cast<std::size_t>(at - keys_of_b.begin());
        for (const Column& column : of_a.columns) {
          const Column* other = of_b.find(column.name);
          if (column.is_text() || column.role != Role::predicted || other == nullptr) continue;
          const double x = column.number(row), y = other->number(same);
          if (!std::isfinite(x) || !std::isfinite(y) || x == 0) continue;
          if (column.name == "blocks_needed") { // whole ones; a row of another number reaches another share
            EXPECT_NEAR(x, y, 1) << a.model << ", " << *at;
            if (x != y) break;
          }
          const double expected = at->find("; launches; ") != std::string::npos ? launch : 1;
          EXPECT_NEAR(y / x / expected, 1, tolerance)
              << a.model << ", " << of_a.title << ", " << *at << column.name;
          ++compared;
        }
      }
    }
  return compared;
}

// The issue of equal chips: the H100's, with the H200's memory and L2.
TEST(EqualChips, with_equal_memory_agree) {
  const std::vector<Gpu> donors{h200()};
  Gpu like = database().gpu("h100-sxm");
  const Gpu known = with_estimates(h200(), donors);
  const auto of_memory = [](const std::string& path) {
    return path.rfind("dram.", 0) == 0 || path.rfind("l2.", 0) == 0 || path.rfind("sustained.dram", 0) == 0 ||
           path == "sustained.l2";
  };
  // What is not of the chip comes with them: the rates that a library reached, at a clock that power set. The
  // latency that others printed for the same shared memory goes.
  const auto is_set = [&](const std::string& path) {
    return of_memory(path) || path.starts_with("sustained.");
  };
  for (const KeyInfo& key : all_keys())
    if (is_set(std::string(key.path)) || key.path == facts::shared_latency.path) like.facts.erase(key.path);
  for (const auto& [path, record] : known.facts)
    if (is_set(path)) like.facts[path] = record;
  like = with_estimates(std::move(like), donors);
  for (const Question& q : questions()) {
    const Answers h200s = answers_of(q, known), h100s = answers_of(q, like);
    ASSERT_EQ(h200s.numbers.size(), h100s.numbers.size()) << q.model;
    for (std::size_t i = 0; i < h200s.numbers.size(); ++i)
      if (!std::isnan(h200s.numbers[i])) {
        EXPECT_NEAR(h100s.numbers[i] / h200s.numbers[i], 1, 0.1) << q.model << " row " << i;
      }
  }
  // And all that any other model predicts, asked for nothing in particular; the host's link is not the
  // chip's.
  std::size_t asked_for_more = 0;
  const double launch = like.cost_of("kernel.empty")->value / known.cost_of("kernel.empty")->value;
  for (const Model& m : models()) {
    if (m.info.gpu == GpuUse::none || m.info.name == "transfer") continue;
    const Words inputs = small_problem(m);
    try {
      EXPECT_GT(expect_near(ask(m.info.name, known, inputs), ask(m.info.name, like, inputs), launch, 0.1), 0u)
          << m.info.name;
    } catch (const InputError& e) {
      std::printf("%s: %s\n", std::string(m.info.name).c_str(), e.what());
      ++asked_for_more;
    }
  }
  EXPECT_LE(asked_for_more, 1u); // kernel, which is asked about a file
}

} // namespace perfmodel::equal_chips_test
