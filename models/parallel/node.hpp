// What lies between two places of a node: latency and bandwidth of the way, what NUMA costs, and what flows
// that share links get. node_routes.hpp says how the way is found and shared. Assumes that each link gives
// every flow on it what the file says, that nothing else runs, and that copies are long enough for the
// bandwidth to count.
#pragma once

#include "node_graph.hpp"

#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct NodeModel {
  static constexpr ModelInfo info{
      .name = "node",
      .summary = "Node: latency and bandwidth between any two places, NUMA, and flows that share links",
      .equation = "latency = sum over links; bandwidth = min over links; shared = max-min fair",
      .source = "Vuduc 2014, slides 98 and 99; Bertsekas and Gallager 1992, section 6.5",
      .reading = "Keep data in the near memory, and spread flows over links that they do not share.",
      .tolerance = 0.35, // of what the wires carry, the lecture's link to the host reached 6 of 8 GB/s
      .chart = ChartKind::diagram,
      .gpu = GpuUse::none,
      .communication = true,
      .examples = "--node fermi-node; --node hgx-h200 --from gpu0 --to gpu5"};

  struct Input {
    std::optional<NodeGraph> node;
    std::string from, to, flows, cut;
    static void fields(auto& field) {
      field(&Input::node, "node", "the node: a name, or a YAML file", Range::any);
      field(&Input::from, "from", "a place of the node, such as gpu0 (default: all that data come from)",
            Range::any);
      field(&Input::to, "to", "the place to which the data go (default: all that data go to)", Range::any);
      field(&Input::flows, "flows", "flows at the same time, such as gpu0-gpu2,gpu1-gpu3", Range::any);
      field(&Input::cut, "cut", "links or places that are cut off, such as cpu0-cpu1,gpu3", Range::any);
    }
  };

  struct Way {
    static constexpr std::string_view title = "between places";
    std::string node;
    std::string from, to;
    Count pairs = 1;
    Seconds latency{absent};
    BytesPerSecond bandwidth{absent};
    std::string narrowest, way, assumed;
    static void fields(auto& field) {
      using R = Way;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::from, "from", "where data come from", Range::any, Role::key);
      field(&R::to, "to", "where they go", Range::any, Role::key);
      field(&R::pairs, "pairs", "pairs of places of these kinds that are as near, this one the first",
            Range::any, Role::note);
      field(&R::latency, "latency", "of a load, there and back; empty: there is no way");
      field(&R::bandwidth, "bandwidth", "of a long copy, alone on the node");
      field(&R::narrowest, "narrowest", "the link that sets the bandwidth", Range::any, Role::note);
      field(&R::way, "way", "places on the way", Range::any, Role::note);
      field(&R::assumed, "assumed", "which of the two figures rests on one that is assumed", Range::any,
            Role::note);
    }
  };

  struct Numa {
    static constexpr std::string_view title = "near and far memory";
    std::string node;
    std::string place;
    Count alike = 1;
    std::string near, far;
    Seconds near_latency{absent}, far_latency{absent};
    double latency_ratio = absent;
    BytesPerSecond near_bandwidth{absent}, far_bandwidth{absent};
    static void fields(auto& field) {
      using R = Numa;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::place, "place", "who reads or writes", Range::any, Role::key);
      field(&R::alike, "alike", "places of its kind that are as near, this one the first", Range::any,
            Role::note);
      field(&R::near, "near", "the memory of least latency", Range::any, Role::note);
      field(&R::far, "far", "the memory of most latency", Range::any, Role::note);
      field(&R::near_latency, "near_latency", "of a load from the near memory");
      field(&R::far_latency, "far_latency", "of a load from the far memory");
      field(&R::latency_ratio, "latency_ratio", "far over near", Range::any, Role::predicted, "times");
      field(&R::near_bandwidth, "near_bandwidth", "between it and the near memory");
      field(&R::far_bandwidth, "far_bandwidth", "between it and the far memory");
    }
  };

  struct Flow {
    static constexpr std::string_view title = "flows at the same time";
    std::string node;
    std::string flow, way;
    BytesPerSecond alone{absent}, bandwidth{absent};
    double share = absent;
    std::string held_by;
    static void fields(auto& field) {
      using R = Flow;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::flow, "flow", "from where to where", Range::any, Role::key);
      field(&R::way, "way", "places on the way", Range::any, Role::note);
      field(&R::alone, "alone", "bandwidth if it had the node for itself");
      field(&R::bandwidth, "bandwidth", "its max-min fair share");
      field(&R::share, "share", "of what it has alone", Range::any, Role::predicted, "fraction");
      field(&R::held_by, "held_by", "the full link that it waits for", Range::any, Role::note);
    }
  };

  struct Shared {
    static constexpr std::string_view title = "links that flows share";
    std::string node;
    std::string link;
    Count flows = 0;
    BytesPerSecond carries{absent}, taken{absent};
    double used = absent;
    static void fields(auto& field) {
      using R = Shared;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::link, "link", "the link, in the direction of the flows", Range::any, Role::key);
      field(&R::flows, "flows", "flows on it", Range::any, Role::predicted, "flows");
      field(&R::carries, "carries", "its bandwidth");
      field(&R::taken, "taken", "by all flows on it");
      field(&R::used, "used", "taken of what it carries", Range::any, Role::predicted, "fraction");
    }
  };

  // These two are what the picture is drawn from.
  struct Places {
    static constexpr std::string_view title = "places of the node";
    std::string node;
    std::string kind, places, what;
    Count count = 0;
    static void fields(auto& field) {
      using R = Places;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::kind, "kind", "what they are to the search of a way", Range::any, Role::key);
      field(&R::what, "what", "what they are called", Range::any, Role::note);
      field(&R::count, "count", "how many there are", Range::any, Role::note);
      field(&R::places, "places", "their names", Range::any, Role::note);
    }
  };
  struct Wire {
    static constexpr std::string_view title = "links of the node";
    std::string node;
    std::string wire, links;
    BytesPerSecond bandwidth;
    Seconds latency;
    std::string duplex, assumed;
    static void fields(auto& field) {
      using R = Wire;
      field(&R::node, "node", "the name of the node", Range::any, Role::key);
      field(&R::wire, "wire", "what the links are made of", Range::any, Role::key);
      field(&R::bandwidth, "bandwidth", "of one direction; half duplex: of both together");
      field(&R::latency, "latency", "what one of them adds to a load");
      field(&R::duplex, "duplex", "full or half", Range::any, Role::note);
      field(&R::assumed, "assumed", "which of the two figures is assumed", Range::any, Role::note);
      field(&R::links, "links", "between which places; 'x2': two of the flows take it; 'cut': nobody does",
            Range::any, Role::note);
    }
  };

  using Tables = std::tuple<std::vector<Way>, std::vector<Numa>, std::vector<Flow>, std::vector<Shared>,
                            std::vector<Places>, std::vector<Wire>>;
  template <class T> static Tables predict(const Gpu&, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input& in, const Tables&);
};

} // namespace perfmodel
