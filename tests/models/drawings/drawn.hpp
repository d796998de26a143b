// Drawings as a command asks for them.
#pragma once

#include "models/core/error.hpp"
#include "models/drawings/drawings.hpp"
#include "tests/models/ask.hpp"

#include <string>
#include <vector>

namespace perfmodel::drawn_for_tests {

inline Drawing drawn(const std::string& of, const std::string& name, const std::string& gpu,
                     const Words& options) {
  return draw(of, name, gpu_named(gpu), request_of(model(of), options));
}

inline std::vector<Drawing::Cell> of_kind(const Drawing& d, const std::string& kind) {
  std::vector<Drawing::Cell> cells;
  for (const Drawing::Cell& cell : d.cells)
    if (d.kinds[cell.kind].name == kind) cells.push_back(cell);
  return cells;
}

} // namespace perfmodel::drawn_for_tests
