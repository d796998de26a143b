// What a sweep has found on some of its devices: on all so far, or on one alone, which is then put behind
// those before it.
#pragma once

#include "filling.hpp"
#include "refused.hpp"
#include "result.hpp"
#include "sweep_verdict.hpp"

#include <vector>

namespace perfmodel::detail {

struct SweepPart {
  std::vector<Filling> machine, points;
  Refused refused;
  SweepVerdict verdict;
  std::vector<Derivation> derivations;
  std::vector<Step> constants;
  std::vector<std::string> notes;
  std::optional<NumberSaid> said;

  void append(SweepPart other);
  // The point whose rows have just been added, in words.
  void tell(const Asked& asked, const Gpu& gpu);
  // All that stands beside the tables; the tables stay.
  void give_words(Result& result);
  // What a derivation rests on, for the last lines of an answer.
  void note_origins(const Derivation& derivation);
};

} // namespace perfmodel::detail
