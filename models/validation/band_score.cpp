#include "band_score.hpp"

#include "models/core/in_words.hpp"
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

// Of a band of 90 %: the shares of rows inside that its width is right for, and the width that tells much.
constexpr double least_inside = 0.85, most_inside = 0.97, narrow = 0.15;

// Of ends that lie on one side of a number the nearer one counts as that number.
double distance(double from, double to) { return std::max(0.0, std::log(to / from)); }

double share_inside(const std::vector<RowBand>& bands, const std::vector<Ledger::Row>& rows,
                    const std::function<Interval(const RowBand&)>& interval) {
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (std::isnan(bands[i].predicted)) continue;
    ++all;
    inside += interval(bands[i]).holds(rows[i].measured) ? 1 : 0;
  }
  return all > 0 ? inside / all : absent;
}

double median_width(const std::vector<RowBand>& bands,
                    const std::function<Interval(const RowBand&)>& interval) {
  std::vector<double> widths;
  for (const RowBand& band : bands) {
    if (std::isnan(band.predicted)) continue;
    const Interval of = interval(band);
    widths.push_back((of.high - of.low) / band.predicted);
  }
  return median(widths);
}

// "12 of 28 have 85 to 97 % of their rows inside, 20 a median width under 15 %, 8 both"
std::string how_many(const Table& bands, const char* inside, const char* width) {
  std::size_t all = 0, right = 0, narrows = 0, both = 0;
  for (std::size_t row = 0; row < bands.rows(); ++row) {
    const double share = bands.at(inside).number(row), wide = bands.at(width).number(row);
    if (std::isnan(share)) continue;
    const bool is_right = share >= least_inside && share <= most_inside, is_narrow = wide < narrow;
    ++all, right += is_right, narrows += is_narrow, both += is_right && is_narrow;
  }
  return fmt::format("of {} {} have {:.0f} to {:.0f} % of their rows inside, {} a width under "
                     "{:.0f} %, {} both",
                     in_words(static_cast<double>(all), "lines"), right, 100 * least_inside,
                     100 * most_inside, narrows, 100 * narrow, both);
}

} // namespace

Interval band_of_costs(const RowBand& row) {
  if (std::isnan(row.low) || std::isnan(row.high)) return {row.predicted, row.predicted};
  return {row.low, row.high};
}

Interval band_with_model_error(const RowBand& row, const ModelError& error) {
  const Interval costs = band_of_costs(row);
  const double p = row.predicted;
  return {p * std::exp(-std::hypot(distance(costs.low, p), distance(error.least(), 1))),
          p * std::exp(std::hypot(distance(p, costs.high), distance(1, error.most())))};
}

std::vector<BandSample> band_samples(const Ledger& ledger, std::size_t most) {
  std::map<Ledger::OfModel, BandSample> samples;
  for (const auto& [evidence, lines] : ledger.lines)
    for (const auto& [of, line] : lines) {
      if (evidence == Evidence::calibration || !line.timed || line.scored.empty()) continue;
      std::vector<Ledger::Row>& rows = samples[of].rows;
      rows.insert(rows.end(), line.scored.begin(), line.scored.end());
    }
  std::vector<BandSample> all;
  for (auto& [of, sample] : samples) {
    const std::size_t scored = sample.rows.size(), asked = std::min(scored, most);
    BandSample& taken = all.emplace_back(BandSample{.of = of, .scored = scored, .rows = {}});
    for (std::size_t i = 0; i < asked; ++i) // the middle of each of as many equal parts
      taken.rows.push_back(std::move(sample.rows[(2 * i + 1) * scored / (2 * asked)]));
  }
  return all;
}

BandScore score_of(const BandSample& sample, const std::vector<RowBand>& bands,
                   const std::optional<ModelError>& error) {
  const auto answered = std::count_if(bands.begin(), bands.end(),
                                      [](const RowBand& band) { return !std::isnan(band.predicted); });
  BandScore score{.of = sample.of,
                  .scored = sample.scored,
                  .asked = static_cast<std::size_t>(answered),
                  .costs_inside = share_inside(bands, sample.rows, band_of_costs),
                  .costs_width = median_width(bands, band_of_costs)};
  if (!error) return score;
  const auto both = [&](const RowBand& band) { return band_with_model_error(band, *error); };
  score.both_inside = share_inside(bands, sample.rows, both);
  score.both_width = median_width(bands, both);
  return score;
}

Table table_of(const std::vector<BandScore>& scores) {
  Table table{.title = std::string(bands_title)};
  const auto column = [&](const char* name, const char* unit, Role role, auto cells) {
    table.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = std::move(cells)});
  };
  for (const char* name : {"model", "quantity"}) column(name, "", Role::key, std::vector<std::string>{});
  for (const char* name : {"scored", "asked"}) column(name, "", Role::note, std::vector<std::int64_t>{});
  for (const char* name : {"costs_inside", "costs_width", "both_inside", "both_width"})
    column(name, "fraction", Role::note, std::vector<double>{});
  for (const BandScore& score : scores) {
    auto at = table.columns.begin();
    append(*at++, score.of.first);
    append(*at++, score.of.second);
    append(*at++, score.scored);
    append(*at++, score.asked);
    for (const double value : {score.costs_inside, score.costs_width, score.both_inside, score.both_width})
      append(*at++, value);
  }
  return table;
}

void note_bands(Table& bands, const std::string& old) {
  bands.notes = {
      fmt::format("asked: rows whose bands were computed, at most {} of each line, evenly over the scored "
                  "ones; inside: the share of them whose measured number lies in its band, which is of 90 %; "
                  "width: the median of (high - low) / predicted.",
                  rows_of_sample),
      "costs: the band of the costs alone, 5 to 95 % of 32 draws; both: with the model error of other "
      "models, each of the two distances from the prediction squared, summed and rooted in the logarithm.",
      fmt::format("Costs alone: {}. Both: {}.", how_many(bands, "costs_inside", "costs_width"),
                  how_many(bands, "both_inside", "both_width"))};
  if (!old.empty())
    bands.notes.push_back(
        fmt::format("Scored on {}; models or facts have changed since, and --fresh scores them again.", old));
}

} // namespace perfmodel
