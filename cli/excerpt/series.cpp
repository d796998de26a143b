#include "rows.hpp"

#include "models/core/quantity_text.hpp"
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <map>

namespace perfmodel::cli {

namespace {

std::string percent(double fraction) { return format_quantity(fraction, {"fraction", {}}); }

// The tolerance of every row, if it is one.
double one_tolerance(const Table& table) {
  const Column& tolerance = table.at("tolerance");
  for (std::size_t row = 1; row < tolerance.size(); ++row)
    if (tolerance.number(row) != tolerance.number(0)) return absent;
  return tolerance.number(0);
}

// The rows by verdict; of those that are held against something, the largest error first.
struct Judged {
  Rows out, within, calibration, left_out, unscored;
  bool bounds = false; // "at least": a prediction above a bound is right however far above it is

  explicit Judged(const Table& table) {
    const Column &error = table.at("error"), &verdict = table.at("verdict");
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string word = verdict.text(row);
      bounds = bounds || word == "ok (at least)";
      Rows& rows = word == "OUT"                       ? out
                   : word == "calibration"             ? calibration
                   : word == "left out"                ? left_out
                   : word == "slip" || word == "shown" ? unscored
                                                       : within;
      rows.push_back(row);
    }
    largest_first(out, [&](std::size_t row) { return magnitude(error.number(row)); });
    largest_first(
        within, [&](std::size_t row) { return bounds ? -error.number(row) : magnitude(error.number(row)); });
  }
};

std::vector<double> errors_of(const Table& table, const Judged& judged) {
  std::vector<double> errors;
  if (judged.bounds) return errors;
  for (const Rows* rows : {&judged.out, &judged.within})
    for (const std::size_t row : *rows) errors.push_back(std::fabs(table.at("error").number(row)));
  return errors;
}

std::string summary(const Table& table, const Judged& judged, double worst) {
  std::string text = fmt::format("{} rows, {} out of tolerance", table.rows(), judged.out.size());
  const double tolerance = one_tolerance(table);
  if (!std::isnan(tolerance)) text += fmt::format(" ({})", percent(tolerance));
  if (!judged.calibration.empty())
    text += fmt::format(", {} of calibration and not scored", judged.calibration.size());
  if (!judged.left_out.empty()) text += fmt::format(", {} left out and not scored", judged.left_out.size());
  if (!std::isnan(worst))
    text += fmt::format("; mean error {}, worst {}", percent(mean(errors_of(table, judged))), percent(worst));
  return text;
}

std::string what_is_shown(const Judged& judged, double worst) {
  const std::size_t out = judged.out.size(), others = std::min(few, judged.within.size());
  const std::string those_out = out == 0           ? ""
                                : out > most_wrong ? fmt::format("the {} furthest out", most_wrong)
                                : out > 1          ? fmt::format("the {} that are out", out)
                                                   : "the one that is out";
  if (others == 0) return those_out.empty() ? "the first few" : those_out;
  if (out == 0 && worst == 0) return fmt::format("the first {}", others);
  const char* which = judged.bounds ? "nearest to their bound" : "with the largest error";
  return out == 0 ? fmt::format("the {} {}", others, which)
                  : fmt::format("{} and, of the others, the {} {}", those_out, others, which);
}

} // namespace

Table excerpt_of_series(const Table& table) {
  const Judged judged(table);
  Rows shown;
  add_first(shown, judged.out, most_wrong);
  add_first(shown, judged.within, few);
  if (shown.empty()) add_first(shown, judged.calibration.empty() ? judged.unscored : judged.calibration, few);
  const double worst = largest_magnitude(errors_of(table, judged));
  Table result = picked(table, shown);
  if (!std::isnan(one_tolerance(table)))
    std::erase_if(result.columns, [](const Column& column) { return column.name == "tolerance"; });
  result.notes.push_back(fmt::format("{}. Shown: {}; {}", summary(table, judged, worst),
                                     what_is_shown(judged, worst), where_all_are));
  return result;
}

} // namespace perfmodel::cli
