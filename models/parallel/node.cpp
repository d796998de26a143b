#include "node.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "node_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

NodeGraph node_of(const NodeModel::Input& in) {
  if (!in.node) throw InputError("--node: a node is expected, such as hgx-h200, or a YAML file");
  if (!in.flows.empty() && (!in.from.empty() || !in.to.empty()))
    throw InputError("--flows says itself from where to where: leave out --from and --to");
  NodeGraph node = *in.node;
  if (!in.cut.empty()) node.cut(in.cut);
  return node;
}

void add_grades(const NodeGraph& node, Grades& grades) {
  for (const NodeWire& wire : node.wires) grades.add(wire.latency.grade), grades.add(wire.bandwidth.grade);
  for (const NodePlace& place : node.places) grades.add(place.crossing.grade);
}

// A figure of the file as a step with its source.
template <class Q>
Term<Q> term(Recorder& trace, const std::string& symbol, const std::string& meaning,
             const NodeFigure<Q>& figure, const std::string& file) {
  const Q value = figure.at(trace.shift);
  const std::size_t before = trace.derivation.steps.size();
  Term<Q> term = trace.input(symbol, value);
  if (trace.derivation.steps.size() == before) return term;
  Step& step = trace.derivation.steps.back();
  step.meaning = meaning, step.source = figure.source, step.place = file, step.grade = figure.grade;
  step.is_fact = true, step.status = Status::secondary;
  if (figure.grade != Grade::known) step.low = figure.low.value, step.high = figure.high.value;
  return term;
}

void explain(Plain&, const NodeGraph&, const AskedWay&) {}
void explain(Plain&, const NodeGraph&) {}

Term<Seconds> latency_term(Recorder& trace, const NodeGraph& node, const NodeWire& wire) {
  return term(trace, fmt::format("latency({})", wire.name), wire.title, wire.latency, node.name);
}
Term<BytesPerSecond> bandwidth_term(Recorder& trace, const NodeGraph& node, const NodeWire& wire) {
  return term(trace, fmt::format("bandwidth({})", wire.name), wire.title, wire.bandwidth, node.name);
}

// The sum and the minimum of one way: of several side by side, of the first.
void explain(Recorder& trace, const NodeGraph& node, const AskedWay& asked) {
  if (!asked.route) return;
  const NodeRoute& route = *asked.route;
  const NodeWay& way = route.ways.front();
  std::optional<Term<Seconds>> latency;
  std::optional<Term<BytesPerSecond>> bandwidth;
  const auto add = [&](const Term<Seconds>& term) { latency = latency ? *latency + term : term; };
  trace.say("way", "the nearest", way_text(node, route));
  for (std::size_t i = 0; i < way.links.size(); ++i) {
    const NodeWire& wire = node.wires[node.links[way.links[i]].wire];
    if (const NodePlace& passed = node.places[way.places[i]]; i > 0 && passed.crossing.value > Seconds(0))
      add(term(trace, fmt::format("latency({})", passed.name), "what passing it adds", passed.crossing,
               node.name));
    add(latency_term(trace, node, wire));
    const Term<BytesPerSecond> width = bandwidth_term(trace, node, wire);
    bandwidth = bandwidth ? lesser(*bandwidth, width) : width;
  }
  trace.define("latency", "sum over the way", *latency);
  trace.define(route.ways.size() > 1 ? "bandwidth(way)" : "bandwidth", "the smallest on the way", *bandwidth);
  if (route.ways.size() > 1)
    trace.say("bandwidth", "of all equally near ways together",
              fmt::format("{} by {} ways", in_words(route.bandwidth), route.ways.size()));
}

// All that the answers rest on, where they are of many ways.
void explain(Recorder& trace, const NodeGraph& node) {
  for (const NodeWire& wire : node.wires) {
    latency_term(trace, node, wire);
    bandwidth_term(trace, node, wire);
  }
}

std::string no_way(const NodeModel::Way& row, bool cut) {
  return cut ? fmt::format("No way is left from {} to {}: what was cut separates them.", row.from, row.to)
             : fmt::format("No way leads from {} to {}: no links join them.", row.from, row.to);
}

// ", which a-b sets".
std::string set_by(const NodeModel::Way& row) {
  return row.narrowest.empty() ? "" : fmt::format(", set by {}", row.narrowest);
}

std::string way_verdict(const NodeModel::Way& row, bool cut) {
  return std::isnan(row.bandwidth.value)
             ? no_way(row, cut)
             : fmt::format("From {} to {} it is {} and {}{}.", row.from, row.to, in_words(row.latency),
                           in_words(row.bandwidth), set_by(row));
}

std::string flow_verdict(const std::vector<NodeModel::Flow>& flows, bool cut) {
  const auto lost =
      std::find_if(flows.begin(), flows.end(), [](const NodeModel::Flow& f) { return std::isnan(f.share); });
  if (lost != flows.end())
    return fmt::format("{} has no way{}.", lost->flow,
                       cut ? " left: what was cut separates the two places"
                           : ": no links join the two places");
  const auto least =
      std::min_element(flows.begin(), flows.end(),
                       [](const NodeModel::Flow& a, const NodeModel::Flow& b) { return a.share < b.share; });
  if (least->share > 1 - 1e-9)
    return fmt::format("No flow is in another's way: {} has its {}.", least->flow,
                       in_words(least->bandwidth));
  return fmt::format("{} gets {} of the {} that it has alone, because {} is full.", least->flow,
                     in_words(least->bandwidth), in_words(least->alone), least->held_by);
}

std::string numa_verdict(const NodeModel::Numa& row) {
  return fmt::format("The far memory of {} is {} away and gives {}, the near one {} and {}.", row.place,
                     in_words(row.far_latency), in_words(row.far_bandwidth), in_words(row.near_latency),
                     in_words(row.near_bandwidth));
}

} // namespace

template <class T> NodeModel::Tables NodeModel::predict(const Gpu&, const Input& in, T& trace) {
  const NodeGraph node = node_of(in);
  const NodeQuestion q{node, trace.shift};
  add_grades(node, trace.grades);
  Tables tables;
  auto& [ways, numa, flows, shared, places, wires] = tables;
  std::vector<AskedWay> used;
  if (!in.flows.empty()) {
    used = asked_flows(q, in.flows);
    FlowRows rows = flow_rows(q, used);
    flows = std::move(rows.flows), shared = std::move(rows.shared);
    explain(trace, node, used.front());
  } else if (!in.from.empty() || !in.to.empty()) {
    used = asked_ways(q, in.from, in.to);
    for (const AskedWay& asked : used) ways.push_back(way_row(q, asked, 1));
    if (used.size() == 1) explain(trace, node, used.front());
    if (used.size() > 1) explain(trace, node);
    if (used.size() > 1) used.clear(); // the picture shows one way or none
  } else {
    const auto kinds = kinds_of_ways(q);
    for (const auto& [asked, pairs] : kinds) ways.push_back(way_row(q, asked, pairs));
    numa = numa_rows(q);
    explain(trace, node);
  }
  places = place_rows(node), wires = wire_rows(q, used);
  return tables;
}

std::string NodeModel::verdict(const Gpu&, const Input& in, const Tables& tables) {
  const auto& [ways, numa, flows, shared, places, wires] = tables;
  const bool cut = !in.cut.empty();
  if (!flows.empty()) return flow_verdict(flows, cut);
  const auto cut_off =
      std::find_if(ways.begin(), ways.end(), [](const Way& w) { return std::isnan(w.bandwidth.value); });
  if (cut_off != ways.end()) return no_way(*cut_off, cut);
  if (ways.size() == 1) return way_verdict(ways.front(), cut);
  if (!numa.empty()) return numa_verdict(numa.front());
  return ways.empty() ? fmt::format("Among the {} places no two exchange data.", in.node->places.size())
                      : way_verdict(ways.front(), cut);
}

template NodeModel::Tables NodeModel::predict(const Gpu&, const Input&, Plain&);
template NodeModel::Tables NodeModel::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
