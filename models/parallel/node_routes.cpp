#include "node_routes.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>

namespace perfmodel {

namespace {

constexpr std::size_t most_ways = 64;

// Whole femtoseconds: sums of the same latencies in another order are the same number.
std::int64_t whole(Seconds latency) { return std::llround(latency.value * 1e15); }

struct Distance {
  std::int64_t latency = std::numeric_limits<std::int64_t>::max();
  std::int64_t links = 0;
  friend bool operator==(const Distance&, const Distance&) = default;
  friend bool operator<(const Distance& a, const Distance& b) {
    return a.latency != b.latency ? a.latency < b.latency : a.links < b.links;
  }
};

class Search {
public:
  Search(const NodeGraph& graph, std::size_t from, std::size_t to, const Shift& shift)
      : graph_(graph), from_(from), to_(to), shift_(shift), at_(graph.places.size()),
        of_place_(graph.places.size()) {
    for (std::size_t i = 0; i < graph.links.size(); ++i) {
      if (graph.links[i].cut) continue;
      of_place_[graph.links[i].a].push_back(i);
      of_place_[graph.links[i].b].push_back(i);
    }
    spread_out();
  }

  bool reaches() const { return at_[to_] != Distance{}; }
  std::vector<NodeWay> nearest_ways() {
    walk_back(to_, {{to_}, {}});
    return std::move(ways_);
  }

private:
  std::size_t other(std::size_t link, std::size_t place) const {
    return graph_.links[link].a == place ? graph_.links[link].b : graph_.links[link].a;
  }
  bool may_leave(std::size_t place) const { return place == from_ || passes_on(graph_.places[place].kind); }
  // To the end of a link that leaves `place`.
  Distance after(std::size_t place, std::size_t link) const {
    const Seconds crossing = place == from_ ? Seconds(0) : graph_.places[place].crossing.at(shift_);
    const Seconds latency = graph_.wires[graph_.links[link].wire].latency.at(shift_);
    return {at_[place].latency + whole(crossing) + whole(latency), at_[place].links + 1};
  }

  void spread_out() {
    using Entry = std::pair<std::pair<std::int64_t, std::int64_t>, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    at_[from_] = {0, 0};
    queue.push({{0, 0}, from_});
    while (!queue.empty()) {
      const auto [key, place] = queue.top();
      queue.pop();
      if (Distance{key.first, key.second} != at_[place] || !may_leave(place)) continue;
      for (const std::size_t link : of_place_[place]) {
        const Distance there = after(place, link);
        const std::size_t next = other(link, place);
        if (!(there < at_[next])) continue;
        at_[next] = there;
        queue.push({{there.latency, there.links}, next});
      }
    }
  }

  // Every way that is as near as the nearest, from its end.
  void walk_back(std::size_t place, const NodeWay& behind) {
    if (place == from_) {
      if (ways_.size() == most_ways)
        throw InputError(
            fmt::format("more than {} ways from {} to {} are equally near: give the switches between "
                        "them as one",
                        most_ways, graph_.places[from_].name, graph_.places[to_].name));
      NodeWay way = behind;
      std::reverse(way.places.begin(), way.places.end());
      std::reverse(way.links.begin(), way.links.end());
      ways_.push_back(std::move(way));
      return;
    }
    for (const std::size_t link : of_place_[place]) {
      const std::size_t before = other(link, place);
      if (at_[before] == Distance{} || !may_leave(before) || after(before, link) != at_[place]) continue;
      NodeWay more = behind;
      more.places.push_back(before), more.links.push_back(link);
      walk_back(before, more);
    }
  }

  const NodeGraph& graph_;
  std::size_t from_, to_;
  Shift shift_;
  std::vector<Distance> at_;
  std::vector<std::vector<std::size_t>> of_place_;
  std::vector<NodeWay> ways_;
};

double narrowest_of(const NodeGraph& graph, const NodeWay& way, const Shift& shift) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t link : way.links)
    least = std::min(least, graph.wires[graph.links[link].wire].bandwidth.at(shift).value);
  return least;
}

// Those that spread; else the widest, of equals the first in the order of the file.
std::vector<NodeWay> used_of(const NodeGraph& graph, std::vector<NodeWay> ways, const Shift& shift) {
  std::sort(ways.begin(), ways.end(), [](const NodeWay& a, const NodeWay& b) { return a.links < b.links; });
  std::vector<NodeWay> spread;
  for (const NodeWay& way : ways)
    if (std::all_of(way.links.begin(), way.links.end(),
                    [&](std::size_t l) { return graph.wires[graph.links[l].wire].spread; }))
      spread.push_back(way);
  if (spread.empty())
    return {*std::max_element(ways.begin(), ways.end(), [&](const NodeWay& a, const NodeWay& b) {
      return narrowest_of(graph, a, shift) < narrowest_of(graph, b, shift);
    })};
  double sum = 0;
  for (NodeWay& way : spread) sum += way.share = narrowest_of(graph, way, shift);
  for (NodeWay& way : spread) way.share /= sum;
  return spread;
}

} // namespace

std::size_t resource_of(const NodeGraph& graph, LinkDirection direction) {
  const bool half = graph.wires[graph.links[direction.link].wire].half_duplex;
  return 2 * direction.link + (direction.backward && !half ? 1 : 0);
}

std::vector<Use> uses_of(const NodeGraph& graph, const NodeRoute& route) {
  std::vector<Use> uses;
  for (const NodeWay& way : route.ways)
    for (std::size_t i = 0; i < way.links.size(); ++i) {
      const bool backward = graph.links[way.links[i]].a != way.places[i];
      const std::size_t resource = resource_of(graph, {way.links[i], backward});
      const auto known =
          std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.resource == resource; });
      if (known == uses.end())
        uses.push_back({resource, way.share});
      else
        known->share += way.share;
    }
  return uses;
}

std::vector<double> capacities_of(const NodeGraph& graph, const Shift& shift) {
  std::vector<double> all;
  for (const NodeLink& link : graph.links)
    all.insert(all.end(), 2, graph.wires[link.wire].bandwidth.at(shift).value);
  return all;
}

std::optional<NodeRoute> route(const NodeGraph& graph, std::size_t from, std::size_t to, const Shift& shift) {
  if (from == to)
    throw InputError(fmt::format("from {} to itself there is no way to go", graph.places[from].name));
  Search search(graph, from, to, shift);
  if (!search.reaches()) return std::nullopt;
  NodeRoute found{.ways = used_of(graph, search.nearest_ways(), shift)};
  const NodeWay& way = found.ways.front();
  for (std::size_t i = 0; i < way.links.size(); ++i) {
    found.latency = found.latency + graph.wires[graph.links[way.links[i]].wire].latency.at(shift);
    if (i > 0) found.latency = found.latency + graph.places[way.places[i]].crossing.at(shift);
  }
  const FairShare alone = fair_shares(capacities_of(graph, shift), {uses_of(graph, found)}).front();
  found.bandwidth = BytesPerSecond(alone.rate);
  found.narrowest = alone.held_by / 2;
  return found;
}

// Progressive filling: all rates rise together until a resource is full; who uses it stays where it is.
std::vector<FairShare> fair_shares(const std::vector<double>& capacities,
                                   const std::vector<std::vector<Use>>& flows) {
  std::vector<FairShare> shares(flows.size());
  std::vector<double> left = capacities;
  std::vector<bool> held(flows.size(), false);
  double level = 0;
  for (std::size_t active = flows.size(); active > 0;) {
    std::vector<double> load(capacities.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
      for (const Use& use : flows[f])
        if (!held[f]) load[use.resource] += use.share;
    std::size_t full = capacities.size();
    double rise = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < capacities.size(); ++r)
      if (load[r] > 0 && left[r] / load[r] < rise) rise = left[r] / load[r], full = r;
    if (full == capacities.size()) return shares; // flows that use nothing
    level += rise;
    for (std::size_t r = 0; r < capacities.size(); ++r) left[r] = std::max(0.0, left[r] - rise * load[r]);
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (!held[f] && std::any_of(flows[f].begin(), flows[f].end(),
                                  [&](const Use& use) { return use.resource == full && use.share > 0; })) {
        held[f] = true, --active;
        shares[f] = {level, full};
      }
  }
  return shares;
}

} // namespace perfmodel
