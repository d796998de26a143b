// One bandwidth or latency of a node's file: {value, status, source, note}, or {value, from, to, why} where
// it could only be assumed.
#pragma once

#include "fact_file.hpp" // Sources
#include "models/parallel/node_graph.hpp"

#include <string>

#include <yaml-cpp/yaml.h>

namespace perfmodel::hwdb {

// A figure in base units. Throws InputError: hwdb/node_file.hpp.
struct PlainFigure {
  double value = 0, low = 0, high = 0;
  Grade grade = Grade::known;
  std::string source;
};
PlainFigure parse_plain_figure(const YAML::Node& node, const std::string& file, const std::string& key,
                               int line, const Unit& unit, const Sources& sources);

// Of a Q, whose unit `key` must have; `line` is where the key stands.
template <class Q>
NodeFigure<Q> parse_node_figure(const YAML::Node& node, const std::string& file, const std::string& key,
                                int line, const Sources& sources) {
  PlainFigure f = parse_plain_figure(node, file, key, line, unit_of<Q>(), sources);
  return {Q(f.value), Q(f.low), Q(f.high), f.grade, std::move(f.source)};
}

} // namespace perfmodel::hwdb
