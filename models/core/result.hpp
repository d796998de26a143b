// A result is a verdict, tables, the chart that shows them, and how the numbers came about. Everything is
// rendered from it.
#pragma once

#include "estimate.hpp"
#include "fact.hpp"
#include "table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class Kind { predicted, measured, published, comparison };
inline constexpr std::string_view kind_names[] = {"predicted", "measured", "published", "comparison"};
constexpr std::string_view name_of(Kind kind) { return kind_names[static_cast<int>(kind)]; }

// One line of --explain. A fact or an input has no formula; a computed quantity has no source.
struct Step {
  std::string symbol, meaning;
  std::string formula; // "dram.latency / clock x dram.bandwidth"
  std::string numbers; // "800 cycle / 1.301 GHz x 177.4 GB/s"
  double value = absent;
  Unit unit;
  std::string text; // a step whose value is a word: "memory"
  bool is_fact = false;
  bool is_fitted = false; // chosen to match measurements, by whoever `source` names
  Status status = Status::derived;
  Layer layer = Layer::device;
  Grade grade = Grade::known; // of a cost that is no fact of this GPU: its range, whence in `source`
  double low = absent, high = absent;
  std::string source, place, probe;
};

// The same constant of the same GPU: a measured one has the same place on each, and a source that names it.
inline bool same_constant(const Step& a, const Step& b) {
  return a.symbol == b.symbol && a.place == b.place && a.source == b.source;
}

struct Derivation {
  std::string title;
  std::vector<Step> steps;
};

// diagram: of places and the links between them, not of columns along axes.
enum class ChartKind { none, lines, bars, roofline, diagram };

// Which columns of the first table a chart shows; empty names mean "the renderer cannot draw this".
struct ChartChoice {
  ChartKind kind = ChartKind::none;
  std::string x, y, series;
  bool log_x = false, log_y = false;
  bool steps = false; // a staircase: the value at an x holds from the x before it, as a rounding up gives
};

// How the warning begins that an answer has where grades stand side by side.
inline constexpr std::string_view mixed_grades = "Grades differ between rows: ";

// The number that an answer's sentence is about: a cell of one of its tables.
struct NumberSaid {
  std::string table, column; // the title of the one, the name of the other
  std::size_t row = 0;
};

struct Result {
  Kind kind = Kind::predicted;
  std::string model;
  std::string title;
  // The answer in plain words: one or two sentences with numbers of the tables. Of several devices, or of the
  // ends of a sweep, one each, led by which it is: "m2090, threads 32: ...".
  std::vector<std::string> verdict;
  // Of the first sentence that tells of a point; none where no cell of a table is what it is about.
  std::optional<NumberSaid> said;
  Grade grade = Grade::known; // the worst of its rows
  std::vector<Table> tables;
  std::vector<Derivation> derivations;
  std::vector<Step> constants; // every measured or fitted constant a prediction used, once
  std::vector<std::string> notes;
  ChartChoice chart;
};

} // namespace perfmodel
