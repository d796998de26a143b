// Which names an expression reads.
#pragma once

#include "models/core/expression/expression.hpp"
#include "models/core/expression/syntax.hpp"

#include <string_view>

namespace perfmodel {

template <class Visit> void each_node(const Node& node, Visit visit) {
  visit(node);
  for (const Node& child : node.children) each_node(child, visit);
}

inline bool mentions(const Expression& e, std::string_view name) {
  bool found = false;
  if (!e.empty())
    each_node(e.root(), [&](const Node& n) { found = found || (n.op == Op::name && n.name == name); });
  return found;
}

} // namespace perfmodel
