#include "probes.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel::messages {

void Times::add(int bytes, std::vector<double> samples) {
  const auto same =
      std::find_if(rounds.begin(), rounds.end(), [&](const Rounds& of) { return of.bytes == Bytes(bytes); });
  const auto at = static_cast<std::size_t>(same - rounds.begin());
  if (same == rounds.end()) {
    rounds.push_back({.bytes = Bytes(bytes)});
    points.emplace_back();
  }
  rounds[at].samples.push_back(std::move(samples));
  points[at] = typical(rounds[at]);
}

} // namespace perfmodel::messages
