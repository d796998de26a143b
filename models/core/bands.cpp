#include "bands.hpp"

#include "draw.hpp"
#include "fact.hpp"
#include "statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace perfmodel::detail {

namespace {

double number_of(const Field& field, const void* row) {
  const MemberType& type = *field.type;
  return type.number ? type.number(field.of(row)) : static_cast<double>(type.count(field.of(row)));
}

// Which comes how far from the least, of numbers: 0 for the least.
std::vector<double> ranks(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<double> rank(numbers.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<double>(i);
  return rank;
}

// Of two orders of the same length: the square of Spearman's coefficient.
double explained(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size()), mean = (n - 1) / 2;
  double together = 0;
  for (std::size_t i = 0; i < a.size(); ++i) together += (a[i] - mean) * (b[i] - mean);
  const double r = together / (n * (n * n - 1) / 12);
  return r * r;
}

// By chance, the best of 40 costs explains some 20 % of 32 draws.
constexpr double seen = 0.25;

std::string goes_with(const std::vector<double>& answers, const std::vector<int>& asked,
                      const std::set<int>& costs) {
  const std::vector<double> order = ranks(answers);
  std::vector<std::pair<double, std::string_view>> shares;
  for (const int cost : costs) {
    const std::string_view path = all_keys()[static_cast<std::size_t>(cost)].path;
    std::vector<double> places;
    for (const int draw : asked) places.push_back(place_in_range(path, draw));
    if (const double share = explained(order, ranks(places)); share > seen) shares.emplace_back(share, path);
  }
  std::sort(shares.rbegin(), shares.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(shares.size(), 2); ++i)
    text += fmt::format("{}{} {:.0f} %", i > 0 ? ", " : "", shares[i].second, 100 * shares[i].first);
  return text;
}

} // namespace

std::optional<std::size_t> banded_field(std::span<const Field> fields, std::string_view name) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].role != Role::predicted || fields[i].type->is_word()) continue;
    if (fields[i].name == name) return i;
    if (!first) first = i;
  }
  return first;
}

RowBands bands_of(const std::vector<Rows>& tables, std::string_view name, int count,
                  const std::function<std::vector<Rows>(const Shift&, Grades&)>& ask) {
  std::vector<std::optional<std::size_t>> fields;
  std::vector<std::vector<std::vector<double>>> answers; // of each table, row and draw
  for (const Rows& rows : tables) {
    fields.push_back(banded_field(rows.fields, name));
    answers.emplace_back(rows.count);
  }
  std::set<int> costs;
  std::vector<int> asked;
  for (int draw = 1; draw <= count; ++draw) try {
      Grades grades;
      const std::vector<Rows> drawn = ask(Shift{.draw = draw}, grades);
      const bool alike = std::equal(drawn.begin(), drawn.end(), tables.begin(), tables.end(),
                                    [](const Rows& a, const Rows& b) { return a.count == b.count; });
      if (!alike) continue;
      asked.push_back(draw);
      costs.insert(grades.costs().begin(), grades.costs().end());
      for (std::size_t t = 0; t < tables.size(); ++t)
        for (std::size_t i = 0; fields[t] && i < drawn[t].count; ++i)
          answers[t][i].push_back(number_of(drawn[t].fields[*fields[t]], drawn[t].row(i)));
    } catch (const InputError&) { // no answer with such costs
    }
  RowBands bands;
  for (const auto& rows : answers) {
    std::vector<Band>& of_table = bands.emplace_back();
    for (const std::vector<double>& drawn : rows) {
      Band& band = of_table.emplace_back();
      const bool all = std::none_of(drawn.begin(), drawn.end(), [](double v) { return std::isnan(v); });
      if (!all || 2 * drawn.size() < static_cast<std::size_t>(count)) continue;
      const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
      if (*least < *most)
        band = {.low = quantile(drawn, 0.05),
                .median = median(drawn),
                .high = quantile(drawn, 0.95),
                .goes_with = goes_with(drawn, asked, costs)};
    }
  }
  return bands;
}

} // namespace perfmodel::detail
