#include "node_answers.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perfmodel {

namespace {

// Hubs and switches are passed, nobody wants to go there.
bool is_end(PlaceKind kind) {
  return kind != PlaceKind::hub && kind != PlaceKind::pcie_switch && kind != PlaceKind::nvswitch;
}

std::string plural(PlaceKind kind) {
  const std::string name(name_of(kind));
  return kind == PlaceKind::memory                                 ? "memories"
         : name.size() > 2 && name.substr(name.size() - 2) == "ch" ? name + "es"
                                                                   : name + "s";
}

const NodeWire& wire_of(const NodeGraph& node, std::size_t link) { return node.wires[node.links[link].wire]; }

AskedWay ask(const NodeQuestion& q, std::size_t from, std::size_t to) {
  return {from, to, route(q.node, from, to, q.shift)};
}

std::string in_direction(const NodeGraph& node, std::size_t resource) {
  const NodeLink& link = node.links[resource / 2];
  if (node.wires[link.wire].half_duplex) return node.link_name(resource / 2) + ", both directions";
  const bool back = resource % 2 == 1;
  return fmt::format("{} to {}", node.places[back ? link.b : link.a].name,
                     node.places[back ? link.a : link.b].name);
}

// Data of two kinds of places, in either order, or of two GPUs or sockets; the other equals exchange nothing.
bool exchange(PlaceKind a, PlaceKind b) {
  return is_end(a) && is_end(b) && (a != b || a == PlaceKind::gpu || a == PlaceKind::socket);
}

// Whole femtoseconds, so that equal ways are equal.
double femtoseconds(Seconds latency) { return std::round(latency.value * 1e15); }

} // namespace

std::string assumed_of(Grade latency, Grade bandwidth) {
  if (latency == Grade::known) return bandwidth == Grade::known ? "" : "bandwidth";
  return bandwidth == Grade::known ? "latency" : "both";
}

std::string way_text(const NodeGraph& node, const NodeRoute& route) {
  std::string text;
  for (std::size_t i = 0; i < route.ways.front().places.size(); ++i) {
    std::set<std::size_t> side_by_side;
    for (const NodeWay& way : route.ways) side_by_side.insert(way.places[i]);
    const NodePlace& first = node.places[route.ways.front().places[i]];
    text += (i > 0 ? " > " : "") + (side_by_side.size() == 1
                                        ? first.name
                                        : fmt::format("{} {}", side_by_side.size(), plural(first.kind)));
  }
  return text;
}

std::vector<AskedWay> asked_ways(const NodeQuestion& q, const std::string& from, const std::string& to) {
  if (!from.empty() && !to.empty()) {
    if (from == to) throw InputError(fmt::format("--from {0} --to {0}: two places are expected", from));
    return {ask(q, q.node.place(from), q.node.place(to))};
  }
  const std::size_t one = q.node.place(from.empty() ? to : from);
  std::vector<AskedWay> all;
  for (std::size_t other = 0; other < q.node.places.size(); ++other)
    if (other != one && is_end(q.node.places[other].kind))
      all.push_back(from.empty() ? ask(q, other, one) : ask(q, one, other));
  if (all.empty())
    throw InputError(fmt::format("{} has no place that {} could exchange data with", q.node.name,
                                 q.node.places[one].name));
  return all;
}

std::vector<std::pair<AskedWay, std::size_t>> kinds_of_ways(const NodeQuestion& q) {
  std::vector<std::pair<AskedWay, std::size_t>> kinds;
  using Likeness = std::tuple<PlaceKind, PlaceKind, std::size_t, double, double>;
  std::map<Likeness, std::size_t> known;
  const std::vector<NodePlace>& places = q.node.places;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      if (!exchange(places[a].kind, places[b].kind)) continue;
      AskedWay asked = ask(q, a, b);
      const auto& way = asked.route;
      const Likeness likeness{std::min(places[a].kind, places[b].kind),
                              std::max(places[a].kind, places[b].kind),
                              way ? way->ways.front().links.size() : 0, way ? femtoseconds(way->latency) : 0,
                              way ? std::round(way->bandwidth.value) : 0};
      const auto [at, is_new] = known.emplace(likeness, kinds.size());
      if (is_new)
        kinds.emplace_back(std::move(asked), 1);
      else
        ++kinds[at->second].second;
    }
  return kinds;
}

NodeModel::Way way_row(const NodeQuestion& q, const AskedWay& asked, std::size_t pairs) {
  NodeModel::Way row{.node = q.node.name,
                     .from = q.node.places[asked.from].name,
                     .to = q.node.places[asked.to].name,
                     .pairs = static_cast<Count>(pairs),
                     .way = "none"};
  if (!asked.route) return row;
  const NodeRoute& route = *asked.route;
  Grade latency = Grade::known, bandwidth = Grade::known;
  for (const NodeWay& way : route.ways)
    for (std::size_t i = 0; i < way.links.size(); ++i) {
      latency = worse(latency, wire_of(q.node, way.links[i]).latency.grade);
      bandwidth = worse(bandwidth, wire_of(q.node, way.links[i]).bandwidth.grade);
      if (i > 0) latency = worse(latency, q.node.places[way.places[i]].crossing.grade);
    }
  row.latency = route.latency, row.bandwidth = route.bandwidth;
  row.narrowest =
      route.ways.size() > 1 ? wire_of(q.node, route.narrowest).title : q.node.link_name(route.narrowest);
  row.way = way_text(q.node, route);
  row.assumed = assumed_of(latency, bandwidth);
  return row;
}

std::vector<NodeModel::Numa> numa_rows(const NodeQuestion& q) {
  std::vector<NodeModel::Numa> rows;
  const std::vector<NodePlace>& places = q.node.places;
  std::map<std::tuple<PlaceKind, double, double, double, double>, std::size_t> known;
  std::vector<std::size_t> order; // GPUs first: they are asked about most
  for (const PlaceKind kind : {PlaceKind::gpu, PlaceKind::socket, PlaceKind::nic})
    for (std::size_t p = 0; p < places.size(); ++p)
      if (places[p].kind == kind) order.push_back(p);
  for (const std::size_t p : order) {
    std::vector<AskedWay> ways;
    for (std::size_t m = 0; m < places.size(); ++m)
      if (places[m].kind == PlaceKind::memory)
        if (AskedWay way = ask(q, m, p); way.route) ways.push_back(std::move(way));
    if (ways.size() < 2) continue;
    const auto [near, far] =
        std::minmax_element(ways.begin(), ways.end(), [](const AskedWay& a, const AskedWay& b) {
          return femtoseconds(a.route->latency) < femtoseconds(b.route->latency);
        });
    const NodeRoute &n = *near->route, &f = *far->route;
    if (femtoseconds(n.latency) == femtoseconds(f.latency)) continue; // all memories are as near
    const auto [at, is_new] =
        known.emplace(std::tuple(places[p].kind, femtoseconds(n.latency), femtoseconds(f.latency),
                                 n.bandwidth.value, f.bandwidth.value),
                      rows.size());
    if (!is_new) {
      rows[at->second].alike += 1;
      continue;
    }
    rows.push_back({.node = q.node.name,
                    .place = places[p].name,
                    .near = places[near->from].name,
                    .far = places[far->from].name,
                    .near_latency = n.latency,
                    .far_latency = f.latency,
                    .latency_ratio = f.latency / n.latency,
                    .near_bandwidth = n.bandwidth,
                    .far_bandwidth = f.bandwidth});
  }
  return rows;
}

std::vector<AskedWay> asked_flows(const NodeQuestion& q, const std::string& flows) {
  constexpr std::size_t most = 1000;
  std::vector<AskedWay> asked;
  for (const std::string& word : words_of(flows)) {
    if (asked.size() == most) throw InputError(fmt::format("--flows: more than {} of them", most));
    const PlacePair pair = place_pair(word, "--flows");
    if (pair.from == pair.to) throw InputError(fmt::format("--flows {}: two places are expected", word));
    asked.push_back(ask(q, q.node.place(pair.from), q.node.place(pair.to)));
  }
  return asked;
}

FlowRows flow_rows(const NodeQuestion& q, const std::vector<AskedWay>& asked) {
  FlowRows rows;
  std::vector<std::vector<Use>> uses;
  for (const AskedWay& flow : asked)
    uses.push_back(flow.route ? uses_of(q.node, *flow.route) : std::vector<Use>{});
  const std::vector<double> capacities = capacities_of(q.node, q.shift);
  const std::vector<FairShare> shares = fair_shares(capacities, uses);
  std::map<std::string, int> seen;
  std::map<std::size_t, NodeModel::Shared> shared;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const AskedWay& flow = asked[i];
    NodeModel::Flow row{.node = q.node.name,
                        .flow = q.node.places[flow.from].name + "-" + q.node.places[flow.to].name,
                        .way = "none"};
    if (const int times = ++seen[row.flow]; times > 1) row.flow += fmt::format(" ({})", times);
    if (flow.route) {
      row.way = way_text(q.node, *flow.route);
      row.alone = flow.route->bandwidth, row.bandwidth = BytesPerSecond(shares[i].rate);
      row.share = row.bandwidth / row.alone;
      row.held_by = in_direction(q.node, shares[i].held_by);
    }
    rows.flows.push_back(std::move(row));
    for (const Use& use : uses[i]) {
      NodeModel::Shared& on = shared[use.resource];
      on.flows += 1;
      on.taken = BytesPerSecond((on.flows > 1 ? on.taken.value : 0) + use.share * shares[i].rate);
    }
  }
  for (auto& [resource, row] : shared) {
    if (row.flows < 2) continue;
    row.node = q.node.name, row.link = in_direction(q.node, resource);
    row.carries = BytesPerSecond(capacities[resource]);
    row.used = row.taken / row.carries;
    rows.shared.push_back(std::move(row));
  }
  return rows;
}

} // namespace perfmodel
