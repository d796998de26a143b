// Warps of a block that load the same.
#include "sms.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

// The first of a group of warps fetches what all of them load; the others have it when it is there.
const SmStep& Sms::step_of(const Warp& w) const {
  if (w.step->found == 0) return *w.step;
  const std::vector<double>& found = slots_[w.slot].found;
  const std::size_t at = meeting_of(w);
  const bool is_found = at < found.size() && found[at] >= 0;
  return is_found ? code_.steps[w.step->found - 1] : *w.step;
}

void Sms::meet(Warp& w, const SmStep& s, Served& served) {
  std::vector<double>& found = slots_[w.slot].found;
  const std::size_t at = meeting_of(w);
  if (at >= found.size()) found.resize(at + code_.groups_of_warps, -1);
  if (found[at] < 0)
    found[at] = served.ended + s.latency;
  else
    served.ended = std::max(served.ended, found[at] - s.latency);
  ++w.meetings;
}

} // namespace perfmodel
