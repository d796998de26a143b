// The pipes of an SM: which of them executes an instruction class, and how long sets of pipes are busy.
//
// A class whose instructions go to one pipe of a set in turn takes, of every union S of such sets that holds
// its own set P, N x 32 / throughput x rate(P) / rate(S) cycles; the best order the hardware could choose
// keeps the busiest union busy all the time (Hall's theorem, for fractions). A class that occupies all its
// pipes together takes its share of each pipe in S. The rate of a pipe is that of the fastest class that runs
// on it alone; where there is none, of the fastest class on a set less the rates of the others.
#pragma once

#include "models/core/gpu.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

using PipeSet = std::set<std::string, std::less<>>;
std::string name_of(const PipeSet& pipes); // "fmaheavy+fmalite"

struct PipeUse {
  PipeSet pipes;
  bool together = false; // occupies all of them; else any one
};

class Pipes {
public:
  // From the text of the fact `pipes`; see facts.hpp. Throws InputError: a word that is no instruction class,
  // or a class that stands twice.
  explicit Pipes(std::string_view text);

  // A class that the text does not name has a pipe of its own, by its name.
  PipeUse of(std::string_view instruction) const;

  // Every union of overlapping sets that could be the busiest.
  static std::vector<PipeSet> unions(std::vector<PipeSet> sets);

  // rate(a) / rate(b) in lanes per clock; absent where the device's files do not give them.
  std::optional<double> ratio(const Gpu& gpu, const PipeSet& a, const PipeSet& b) const;

private:
  std::map<std::string, PipeUse, std::less<>> uses_; // by instruction class
};

} // namespace perfmodel
