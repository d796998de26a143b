// A node: sockets, memories, GPUs and network adapters, and the links between them, as a graph.
#pragma once

#include "models/core/estimate.hpp"
#include "models/core/units.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Sockets, hubs, switches and network adapters pass data on; memories, GPUs and the network beyond do not.
enum class PlaceKind { socket, memory, hub, pcie_switch, gpu, nic, nvswitch, network };
inline constexpr std::string_view place_kind_names[] = {"socket", "memory", "hub",      "switch",
                                                        "gpu",    "nic",    "nvswitch", "network"};
constexpr std::string_view name_of(PlaceKind kind) {
  return place_kind_names[static_cast<std::size_t>(kind)];
}
constexpr bool passes_on(PlaceKind kind) {
  return kind != PlaceKind::memory && kind != PlaceKind::gpu && kind != PlaceKind::network;
}

// A figure of a node's file: known, with its source, or assumed, with its range and its reason.
template <class Q> struct NodeFigure {
  Q value{}, low{}, high{};
  Grade grade = Grade::known;
  std::string source; // or the reason
  Q at(const Shift& shift) const {
    return grade == Grade::known || grade != shift.grade ? value : shift.high ? high : low;
  }
};

struct NodePlace {
  std::string name; // "gpu0"
  PlaceKind kind = PlaceKind::socket;
  std::string title;            // "NVIDIA H200 SXM", may be empty
  NodeFigure<Seconds> crossing; // what passing through adds to a latency
};

// What links are made of. Bandwidth is of one direction, or where `half_duplex` of both together; latency is
// what crossing adds to a load: there and back. `spread`: data go over all equally near ways at once, as
// over the switches of NVLink.
struct NodeWire {
  std::string name, title; // "pcie5", "PCIe 5.0 x16"
  NodeFigure<BytesPerSecond> bandwidth;
  NodeFigure<Seconds> latency;
  bool half_duplex = false, spread = false;
};

struct NodeLink {
  std::size_t a = 0, b = 0, wire = 0; // of places, of wires
  bool cut = false;
};

struct NodeGraph {
  std::string name, title;
  std::vector<NodePlace> places;
  std::vector<NodeWire> wires;
  std::vector<NodeLink> links;

  // The place of this name. Throws InputError with the nearest.
  std::size_t place(std::string_view name) const;
  // "gpu0-pex0": the link's places in the order of the file.
  std::string link_name(std::size_t link) const;
  // Places and links of a comma-separated list ("cpu0-cpu1,gpu3") cut off; of a place all its links are.
  // Throws InputError where there is none of that name.
  void cut(std::string_view list);

  // What an option that takes a node may name, and what it is when it is not given.
  static constexpr std::string_view shipped_in = "nodes", shipped_default = "fermi-node";
  // A text from which from_text makes the same graph: one line each. Throws InputError.
  static NodeGraph from_text(std::string_view text);
  std::string text() const;
};

// "a-b" as two names. Throws InputError that begins with `what`.
struct PlacePair {
  std::string from, to;
};
PlacePair place_pair(std::string_view text, std::string_view what);
// The words of a comma-separated list, without the blanks around them.
std::vector<std::string> words_of(std::string_view list);

} // namespace perfmodel
