#include "compared_series.hpp"

#include "cli/chosen_table.hpp"
#include "cli/of_option.hpp"
#include "cli/published.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/validation/band_score.hpp"
#include "models/validation/model_error.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

std::vector<Series> series_about(Context& context, const Gpu& gpu, const std::string& measured_file) {
  std::vector<Series> series = context.database().published_about(gpu);
  if (context.database().is_own(gpu))
    for (Series& s : published_of_chip(context, gpu)) series.push_back(std::move(s));
  for (Series& s : measured_series(context, gpu, measured_file, "")) series.push_back(std::move(s));
  if (series.empty())
    throw InputError(context.database().is_own(gpu)
                         ? fmt::format("nothing is published about {} and nothing measured on it", gpu.name)
                         : fmt::format("{} is no file of the database: what it is held against is given "
                                       "with --measured FILE",
                                       gpu.file));
  for (const std::string_view name : {any_gpu, the_host})
    for (Series& s : context.database().published(std::string(name))) series.push_back(std::move(s));
  return series;
}

void keep_models(std::vector<Series>& series, const std::vector<std::string>& names) {
  if (names.empty()) return;
  for (const std::string& name : names) of_option("--model", [&] { (void)model(name); });
  std::erase_if(
      series, [&](const Series& s) { return std::find(names.begin(), names.end(), s.model) == names.end(); });
  if (series.empty())
    throw InputError(
        fmt::format("--model {}: nothing of that is published or measured", fmt::join(names, ",")));
}

void keep_table_called(std::vector<Series>& series, const std::string& name) {
  for (const std::string_view other :
       {evidence_title, ledger_title, model_error_title, bands_title, not_scored_title})
    if (begins_with(other, name)) return;
  const auto is_other = [&](const Series& s) { return !begins_with(title_of(s), name); };
  if (!std::all_of(series.begin(), series.end(), is_other)) std::erase_if(series, is_other);
}

void require_table_called(const std::vector<Series>& series, const std::string& name, bool summary) {
  std::vector<std::string> titles;
  if (!summary)
    for (const Series& s : series)
      if (!s.is_input) titles.push_back(title_of(s));
  titles.emplace_back(evidence_title);
  for (const Evidence evidence : every_evidence)
    titles.push_back(fmt::format("{}{}", ledger_title, name_of(evidence)));
  for (const std::string_view other : {model_error_title, bands_title, not_scored_title})
    titles.emplace_back(other);
  require_title(titles, name);
}

std::vector<Gpu> cards_of(Context& context, const Gpu& gpu, const std::vector<Series>& series) {
  std::vector<Gpu> cards;
  for (const Series& s : series)
    for (const std::vector<std::string>* names : {&s.cards, &s.shown})
      for (const std::string& name : *names)
        if (name != gpu.name &&
            std::none_of(cards.begin(), cards.end(), [&](const Gpu& c) { return c.name == name; }))
          cards.push_back(devices(context, {.hw = name}).front());
  return cards;
}

} // namespace perfmodel::cli
