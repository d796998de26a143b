#include "scored_bands.hpp"

#include "cli/in_parallel.hpp"
#include "cli/kept.hpp"
#include "hwdb/kept_errors.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace perfmodel::cli {

namespace {

// On one thread, whose questions share their answers.
std::vector<RowBand> bands_of(const BandSample& sample, const Gpu& gpu, std::span<const Gpu> cards) {
  std::map<std::string, RowPredictions> of_cards;
  std::vector<RowBand> bands;
  for (const Ledger::Row& row : sample.rows) {
    const auto card =
        std::find_if(cards.begin(), cards.end(), [&](const Gpu& other) { return other.name == row.gpu; });
    const Gpu& on = row.gpu == gpu.name || card == cards.end() ? gpu : *card;
    RowPredictions& predictions = of_cards.try_emplace(on.name, on, true).first->second;
    try {
      bands.push_back(predictions.band_of(model(sample.of.first), *row.series, row.row));
    } catch (const InputError&) { // with all tables at once a row may have no answer that it has alone
      bands.emplace_back();
    }
  }
  return bands;
}

} // namespace

Table scored_bands(Context& context, const Gpu& gpu, std::span<const Gpu> cards, const Ledger& ledger,
                   Progress& progress) {
  const std::vector<BandSample> samples = band_samples(ledger);
  const hwdb::KeptErrors kept = kept_errors(context);
  std::vector<BandScore> scores(samples.size());
  std::size_t done = 0;
  in_parallel(
      samples.size(),
      [&](std::size_t i) {
        scores[i] = score_of(samples[i], bands_of(samples[i], gpu, cards),
                             model_error_on(gpu.name, samples[i].of.first, kept.gpus));
      },
      [&](std::size_t) {
        progress.say(fmt::format("bands on {}: {} of {} lines", gpu.name, ++done, samples.size()));
      });
  return table_of(scores);
}

Table kept_or_scored(Context& context, const std::string& name, const std::vector<std::string>& models,
                     const std::function<Table()>& compute) {
  std::optional<hwdb::KeptBands> kept;
  if (!name.empty()) kept = kept_bands(context, name);
  Table bands = kept ? std::move(kept->bands) : compute();
  if (kept && !kept->is_old) context.err << fmt::format("bands as scored on {}\n", kept->date);
  const std::vector<std::string> of = std::get<std::vector<std::string>>(bands.at("model").cells);
  bands = rows_where(bands, [&](std::size_t row) {
    return models.empty() || std::find(models.begin(), models.end(), of[row]) != models.end();
  });
  note_bands(bands, kept && kept->is_old ? kept->date : "");
  return bands;
}

} // namespace perfmodel::cli
