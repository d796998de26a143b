#include "wait_for_graph.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace perfmodel {

// Every rank that waits has an edge to those that it waits for: following the first edge that leads to one
// that waits itself, from any rank, either ends or comes round.
std::vector<std::size_t> cycle_of(const std::vector<Wait>& waits) {
  std::map<std::size_t, const Wait*> of;
  for (const Wait& wait : waits) of[wait.rank] = &wait;
  std::map<std::size_t, bool> done; // no cycle can be reached from here
  std::vector<std::size_t> path;
  const std::function<bool(std::size_t)> visit = [&](std::size_t rank) {
    const auto at = std::find(path.begin(), path.end(), rank);
    if (at != path.end()) {
      path.erase(path.begin(), at);
      return true;
    }
    if (done[rank] || !of.count(rank)) return false;
    path.push_back(rank);
    for (const std::size_t next : of[rank]->for_ranks)
      if (visit(next)) return true;
    path.pop_back();
    done[rank] = true;
    return false;
  };
  for (const Wait& wait : waits)
    if (visit(wait.rank)) {
      std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
      return path;
    }
  return {};
}

} // namespace perfmodel
