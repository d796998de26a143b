#include "series_predictions.hpp"

#include "row_evidence.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel {

void add_constant(std::vector<Step>& constants, const Step& constant) {
  if (std::ranges::none_of(constants, [&](const Step& there) { return same_constant(there, constant); }))
    constants.push_back(constant);
}

SeriesPredictions::SeriesPredictions(const Model& model, const Series& series, std::span<const Card> cards,
                                     const EvidenceRecord& record, PredictionStore* store)
    : model_(model), series_(series), record_(record), store_(store) {
  for (const Card& card : cards)
    cards_.push_back({.card = &card, .kept = store == nullptr ? nullptr : store->find(card.gpu, series)});
}

bool SeriesPredictions::decides_on_class(const Step& constant) const {
  return std::any_of(record_.own_constants.begin(), record_.own_constants.end(),
                     [&](const OwnConstant& own) { return is_own(own, series_, constant); });
}

std::vector<RowPrediction> SeriesPredictions::of(std::size_t row) {
  std::vector<RowPrediction> all;
  for (OnCard& on : cards_) {
    all.push_back(on.kept != nullptr ? on.kept->rows[row]
                                     : on.card->predictions->of(model_, series_, row, named_));
    if (on.kept == nullptr && store_ != nullptr) on.said.push_back(all.back());
    for (const Step& constant : all.back().constants)
      if (!decides_on_class(constant)) add_constant(named_, constant);
  }
  return all;
}

void SeriesPredictions::keep() {
  if (store_ == nullptr) return;
  for (OnCard& on : cards_)
    if (on.kept == nullptr)
      store_->series.push_back({.gpu = on.card->gpu,
                                .title = title_of(series_),
                                .key = key_of(series_),
                                .rows = std::move(on.said)});
}

} // namespace perfmodel
