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
  for (std::size_t t = 0; t < machine.size(); ++t) machine[t].add_rows_of(other.machine[t]);
  for (std::size_t t = 0; t < points.size(); ++t) points[t].add_rows_of(other.points[t]);
  refused.add(other.refused);
  verdict.append(std::move(other.verdict));
  append_to(derivations, std::move(other.derivations));
  for (const Step& step : other.constants) note_constant(step, constants);
  append_to(notes, std::move(other.notes));
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
