// The way between two places of a node, and what flows that share links get.
//   latency = sum of the links' latencies and of the crossings of what is passed; bandwidth = the smallest
//   link's
// The way is the nearest: the least latency, then the fewest links, then the widest (E. W. Dijkstra,
// Numerische Mathematik 1, 1959). Where several equally near ways consist of links that spread their data,
// all are used, in proportion to their bandwidths. Flows that share a link get max-min fair shares: nobody
// can have more without taking from one who has no more (D. Bertsekas, R. Gallager, Data Networks, 1992,
// section 6.5).
#pragma once

#include "node_graph.hpp"

#include <optional>

namespace perfmodel {

struct NodeWay {
  std::vector<std::size_t> places; // from the start to the end
  std::vector<std::size_t> links;  // one fewer
  double share = 1;                // of the route's data
};

struct NodeRoute {
  std::vector<NodeWay> ways; // equally near
  Seconds latency;
  BytesPerSecond bandwidth;  // of all ways together, alone on the node
  std::size_t narrowest = 0; // the link that sets it
};

// What flows on a link is limited in each direction for itself, or in both together where it is half duplex.
struct LinkDirection {
  std::size_t link = 0;
  bool backward = false; // from b to a
};
// A number for each of them, under 2 x links: both directions of a half-duplex link have the same.
std::size_t resource_of(const NodeGraph& graph, LinkDirection direction);
// The share of a route's data on each such resource: (resource, share).
struct Use {
  std::size_t resource = 0;
  double share = 0;
};
std::vector<Use> uses_of(const NodeGraph& graph, const NodeRoute& route);
// Bandwidths by that number; of figures that are assumed, those of the shift.
std::vector<double> capacities_of(const NodeGraph& graph, const Shift& shift);

// Empty where no way is left. Throws InputError where more than 64 ways are equally near.
std::optional<NodeRoute> route(const NodeGraph& graph, std::size_t from, std::size_t to,
                               const Shift& shift = {});

// The rate of each flow in the capacities' unit, and for each which resource holds it.
struct FairShare {
  double rate = 0;
  std::size_t held_by = 0;
};
std::vector<FairShare> fair_shares(const std::vector<double>& capacities,
                                   const std::vector<std::vector<Use>>& flows);

} // namespace perfmodel
