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

  void append(SweepPart other);
  // What a derivation rests on, for the last lines of an answer.
  void note_origins(const Derivation& derivation);
};

} // namespace perfmodel::detail
