#include "sweep_part.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace perfmodel::detail {

namespace {

template <class T> void append_to(std::vector<T>& to, std::vector<T> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

void note_constant(const Step& step, std::vector<Step>& constants) {
  if (std::ranges::none_of(constants, [&](const Step& c) { return same_constant(c, step); }))
    constants.push_back(step);
}

} // namespace

void SweepPart::append(SweepPart other) {
  if (!said && other.said) {
    said = std::move(other.said);
    for (const std::vector<Filling>* tables : {&machine, &points})
      for (const Filling& table : *tables)
        if (table.rows().title == said->table) said->row += table.rows().rows();
  }
  for (std::size_t t = 0; t < machine.size(); ++t) machine[t].add_rows_of(other.machine[t]);
  for (std::size_t t = 0; t < points.size(); ++t) points[t].add_rows_of(other.points[t]);
  refused.add(other.refused);
  verdict.append(std::move(other.verdict));
  append_to(derivations, std::move(other.derivations));
  for (const Step& step : other.constants) note_constant(step, constants);
  append_to(notes, std::move(other.notes));
}

void SweepPart::tell(const Asked& asked, const Gpu& gpu) {
  verdict.add(asked, gpu);
  const std::optional<Asked::Said> told = verdict.take_said();
  if (said || !told) return;
  const Table& table = (told->of_machine ? machine : points)[told->place.table].rows();
  said = NumberSaid{table.title, std::string(told->place.field), table.rows() - told->rows + told->place.row};
}

void SweepPart::give_words(Result& result) {
  result.verdict = verdict.take();
  result.said = std::move(said);
  result.derivations = std::move(derivations);
  result.constants = std::move(constants);
  result.notes = std::move(notes);
}

void SweepPart::note_origins(const Derivation& derivation) {
  std::string unverified;
  for (const Step& step : derivation.steps) {
    if (!step.is_fact && !step.is_fitted) continue;
    const bool sustained = step.symbol.rfind("sustained.", 0) == 0; // others' measurements count like ours
    if (step.is_fitted || step.grade != Grade::known || step.layer == Layer::measured ||
        (sustained && step.layer != Layer::set)) {
      note_constant(step, constants);
    } else if (step.status == Status::unverified && step.layer != Layer::set) {
      unverified += (unverified.empty() ? "" : ", ") + step.symbol;
    }
  }
  if (!unverified.empty()) notes.push_back(derivation.title + ": rests on unverified facts: " + unverified);
}

} // namespace perfmodel::detail
