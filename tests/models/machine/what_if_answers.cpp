// Every model on GPUs of which --set has changed a fact: what goes along with it (models/core/what_if.hpp) is
// an estimate then, and counts as it did while it was a fact.
#include "tests/models/ask.hpp"
#include "tests/small_problem.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

namespace perfmodel::what_if_answers_test {

// What goes along, given by --set itself, at the same value.
Gpu with_all_given(Gpu gpu) {
  const Gpu followed = gpu;
  for (const auto& [path, estimate] : followed.estimates)
    if (estimate.own && followed.record(path) == nullptr)
      gpu.put(path, {.values = {followed.cost_of(path)->value}, .layer = Layer::set, .source = "--set"});
  return gpu;
}

std::optional<Result> answer(const Model& m, const Gpu& gpu, const Words& options) {
  try {
    return ask(m.info.name, gpu, options);
  } catch (const InputError&) { // there is no such answer, and it says why
    return std::nullopt;
  }
}

void expect_equal_numbers(const Result& a, const Result& b, const std::string& where) {
  ASSERT_EQ(a.tables.size(), b.tables.size()) << where;
  for (std::size_t t = 0; t < a.tables.size(); ++t) {
    ASSERT_EQ(a.tables[t].rows(), b.tables[t].rows()) << where << ", " << a.tables[t].title;
    for (const Column& column : a.tables[t].columns) {
      const Column* other = b.tables[t].find(column.name);
      ASSERT_NE(other, nullptr) << where << ", " << column.name;
      for (std::size_t row = 0; row < column.size() && !column.is_text(); ++row)
        if (!std::isnan(column.number(row)) || !std::isnan(other->number(row))) {
          EXPECT_NEAR(column.number(row), other->number(row), 1e-9 * std::fabs(column.number(row)))
              << where << ", '" << a.tables[t].title << "', " << column.name << ", row " << row;
        }
    }
  }
}

// A model that looks for a fact where it should ask for a cost finds nothing once the fact goes along. What
// takes long at its default size is asked so with one fact, in turns, and a small problem with the others.
TEST(WhatIfAnswers, what_goes_along_counts_as_it_did_as_a_fact) {
  const Gpu gpu = measured_gpu("h200");
  std::size_t facts = 0;
  for (const auto& [fact, part] : {std::pair("sm_count", 0.5), {"clock", 0.5}, {"dram.bandwidth", 0.5}}) {
    const Gpu set = with_fact(gpu, fact, gpu.cost_of(fact)->value * part), given = with_all_given(set);
    std::size_t turn = facts++;
    for (const Model& m : models()) {
      const std::string where = fmt::format("{} with half the {}", m.info.name, fact);
      const Words options = takes_long(m) && turn++ % 3 != 0 ? small_problem(m) : Words{};
      const std::optional<Result> followed = answer(m, set, options), as_fact = answer(m, given, options);
      ASSERT_EQ(followed.has_value(), as_fact.has_value()) << where;
      if (followed) expect_equal_numbers(*followed, *as_fact, where);
    }
  }
}

} // namespace perfmodel::what_if_answers_test
