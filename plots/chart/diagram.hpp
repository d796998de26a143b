// A diagram of places and the links between them: no axes. Rows of boxes from top to bottom, lines from row
// to row.
#pragma once

#include "chart.hpp"

#include "models/core/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct DiagramBox {
  std::string name, kind;
  std::size_t row = 0; // from the top
  double place = 0;    // among those of its row, from the left: 0, 1, 2 ...
};

struct DiagramLine {
  std::size_t a = 0, b = 0; // of boxes
  std::string label, title;
  int colour = ink;
  Dash dash = Dash::solid;
  double width = 1.5;
  Grade grade = Grade::known;
};

struct Diagram {
  std::string title, description;
  std::vector<DiagramBox> boxes;
  std::vector<DiagramLine> lines;
  std::vector<LegendEntry> legend;
  std::vector<std::string> notes;
  std::string caption;
};

// Of a result with a table of places (kind, places) and one of links (wire, links, bandwidth, latency,
// assumed), as `node` has them. Sockets give the rows: memories above them, below what is one link away, two
// links, and so on; what was cut stays where it was. Throws InputError where there are no such tables.
Diagram diagram_of(const Result& result);

} // namespace perfmodel::plots
