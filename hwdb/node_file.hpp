// A node's YAML file: hwdb/README.md describes the format.
#pragma once

#include "fact_file.hpp" // Sources
#include "models/parallel/node_graph.hpp"

#include <string>
#include <vector>

namespace perfmodel::hwdb {

struct NodeFile {
  NodeGraph node;
  std::vector<std::string> aliases;
};

// `file` appears in messages. Throws InputError with file, line, key and a suggestion: not YAML, an unknown,
// missing or duplicate key, a wrong unit, an implausible magnitude, a figure with neither source nor range
// and reason, a place or wire that is not there, a place or link twice.
NodeFile parse_node(const std::string& text, const std::string& file, const Sources& sources);

} // namespace perfmodel::hwdb
