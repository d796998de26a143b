// The rows of `node`, from its graph and searches of it.
#pragma once

#include "node.hpp"
#include "node_routes.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct NodeQuestion {
  const NodeGraph& node;
  Shift shift;
};

// A question between two places, by their numbers; empty where no way is left.
struct AskedWay {
  std::size_t from = 0, to = 0;
  std::optional<NodeRoute> route;
};

// "gpu0 > pex0 > cpu0": of ways side by side how many there are, "gpu0 > 4 nvswitches > gpu1".
std::string way_text(const NodeGraph& node, const NodeRoute& route);

// Which of the two is assumed: "latency", "bandwidth", "both" or "".
std::string assumed_of(Grade latency, Grade bandwidth);

// The pairs that --from and --to name; of one of them with all places that data come from or go to.
std::vector<AskedWay> asked_ways(const NodeQuestion& q, const std::string& from, const std::string& to);
// All pairs of such places, one of each kind and distance, and how many there are.
std::vector<std::pair<AskedWay, std::size_t>> kinds_of_ways(const NodeQuestion& q);
NodeModel::Way way_row(const NodeQuestion& q, const AskedWay& asked, std::size_t pairs);

std::vector<NodeModel::Numa> numa_rows(const NodeQuestion& q);

// --flows: each with its way.
std::vector<AskedWay> asked_flows(const NodeQuestion& q, const std::string& flows);
struct FlowRows {
  std::vector<NodeModel::Flow> flows;
  std::vector<NodeModel::Shared> shared;
};
FlowRows flow_rows(const NodeQuestion& q, const std::vector<AskedWay>& asked);

std::vector<NodeModel::Places> place_rows(const NodeGraph& node);
// `used`: ways that the links' flows are counted of.
std::vector<NodeModel::Wire> wire_rows(const NodeQuestion& q, const std::vector<AskedWay>& used);

} // namespace perfmodel
