// What a node is made of, as rows.
#include "node_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfmodel {

std::vector<NodeModel::Places> place_rows(const NodeGraph& node) {
  std::vector<NodeModel::Places> rows;
  for (const NodePlace& place : node.places) {
    const std::string kind(name_of(place.kind));
    auto row = std::find_if(rows.begin(), rows.end(), [&](const NodeModel::Places& r) {
      return r.kind == kind && r.what == place.title;
    });
    if (row == rows.end())
      row = rows.insert(rows.end(), {.node = node.name, .kind = kind, .what = place.title});
    row->places += (row->count > 0 ? ", " : "") + place.name;
    row->count += 1;
  }
  return rows;
}

std::vector<NodeModel::Wire> wire_rows(const NodeQuestion& q, const std::vector<AskedWay>& used) {
  std::vector<std::size_t> flows(q.node.links.size(), 0);
  for (const AskedWay& asked : used) {
    std::set<std::size_t> once;
    for (const NodeWay& way : asked.route ? asked.route->ways : std::vector<NodeWay>{})
      once.insert(way.links.begin(), way.links.end());
    for (const std::size_t link : once) ++flows[link];
  }
  std::vector<NodeModel::Wire> rows;
  for (const NodeWire& wire : q.node.wires)
    rows.push_back({.node = q.node.name,
                    .wire = wire.title,
                    .bandwidth = wire.bandwidth.at(q.shift),
                    .latency = wire.latency.at(q.shift),
                    .duplex = wire.half_duplex ? "half" : "full",
                    .assumed = assumed_of(wire.latency.grade, wire.bandwidth.grade)});
  for (std::size_t i = 0; i < q.node.links.size(); ++i) {
    std::string& links = rows[q.node.links[i].wire].links;
    links += (links.empty() ? "" : ", ") + q.node.link_name(i);
    if (q.node.links[i].cut)
      links += " cut";
    else if (flows[i] > 0)
      links += fmt::format(" x{}", flows[i]);
  }
  return rows;
}

} // namespace perfmodel
