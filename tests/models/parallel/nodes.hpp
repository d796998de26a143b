// Nodes written by hand, with round figures.
#pragma once

#include "models/parallel/node_graph.hpp"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::test {

template <class Q> NodeFigure<Q> known(double value) {
  return {Q(value), Q(value), Q(value), Grade::known, "by hand"};
}

struct NodeMaker {
  NodeGraph node;
  NodeMaker() { node.name = "toy", node.title = "a toy"; }
  explicit NodeMaker(NodeGraph from) : node(std::move(from)) {}
  NodeMaker& place(const std::string& name, PlaceKind kind, double crossing_ns = 0) {
    node.places.push_back({name, kind, "", known<Seconds>(crossing_ns * 1e-9)});
    return *this;
  }
  // GB/s and ns.
  NodeMaker& wire(const std::string& name, double bandwidth, double latency, bool half = false,
                  bool spread = false) {
    node.wires.push_back(
        {name, name, known<BytesPerSecond>(bandwidth * 1e9), known<Seconds>(latency * 1e-9), half, spread});
    return *this;
  }
  NodeMaker& link(const std::string& a, const std::string& b, std::size_t wire) {
    node.links.push_back({node.place(a), node.place(b), wire, false});
    return *this;
  }
};

// Two sockets, each with a memory and a GPU: 10 ns and 40 GB/s to memory, 5 ns and 20 GB/s between sockets,
// 100 ns and 10 GB/s to a GPU.
inline NodeGraph two_sockets() {
  return NodeMaker()
      .place("a", PlaceKind::socket)
      .place("b", PlaceKind::socket)
      .place("ma", PlaceKind::memory)
      .place("mb", PlaceKind::memory)
      .place("ga", PlaceKind::gpu)
      .place("gb", PlaceKind::gpu)
      .wire("ddr", 40, 10, true)
      .wire("qpi", 20, 5)
      .wire("pcie", 10, 100)
      .link("a", "ma", 0)
      .link("b", "mb", 0)
      .link("a", "b", 1)
      .link("a", "ga", 2)
      .link("b", "gb", 2)
      .node;
}

} // namespace perfmodel::test
