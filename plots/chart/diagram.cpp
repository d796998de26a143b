#include "diagram.hpp"

#include "grade.hpp"
#include "palette.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace perfmodel::plots {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

const Table& table_with(const Result& result, const char* one, const char* other) {
  for (const Table& table : result.tables)
    if (table.find(one) != nullptr && table.find(other) != nullptr) return table;
  throw InputError("'" + result.model + "' has no places and links to draw");
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(", ", at), list.size());
    words.push_back(list.substr(at, comma - at));
    at = comma + 2;
  }
  return words;
}

// "cpu0-pex0", "cpu0-pex0 x2", "cpu0-cpu1 cut".
struct LinkText {
  std::string from, to, state;
  explicit LinkText(const std::string& word) {
    const std::size_t dash = word.find('-'), blank = std::min(word.find(' '), word.size());
    if (dash >= blank) throw InputError("'" + word + "' is no link to draw");
    from = word.substr(0, dash), to = word.substr(dash + 1, blank - dash - 1);
    state = word.substr(std::min(blank + 1, word.size()));
  }
};

class Reader {
public:
  explicit Reader(const Result& result)
      : places_(table_with(result, "kind", "places")), wires_(table_with(result, "wire", "links")) {}

  void add_boxes(Diagram& d) {
    for (std::size_t row = 0; row < places_.rows(); ++row)
      for (const std::string& name : words_of(places_.at("places").text(row)))
        if (numbers_.emplace(name, d.boxes.size()).second)
          d.boxes.push_back({.name = name, .kind = places_.at("kind").text(row)});
  }

  // "Node hgx-h200".
  void name(Diagram& d) const {
    if (const Column* node = places_.find("node"); node != nullptr && places_.rows() > 0)
      d.title += " " + node->text(0);
  }

  void add_lines(Diagram& d) {
    bool flows = false;
    for (std::size_t row = 0; row < wires_.rows(); ++row)
      flows = flows || wires_.at("links").text(row).find(" x") != std::string::npos;
    for (std::size_t row = 0; row < wires_.rows(); ++row) {
      const Grade grade = is_assumed(row, "bandwidth") ? Grade::assumed : Grade::known;
      const int colour = series_colour(row);
      d.legend.push_back({.text = wires_.at("wire").text(row) + ": " + figures(row),
                          .colour = colour,
                          .line = true,
                          .dash = series_dash(row),
                          .grade = grade});
      for (const std::string& word : words_of(wires_.at("links").text(row))) {
        const LinkText link(word);
        DiagramLine line{.a = number(link.from), .b = number(link.to)};
        line.colour = colour, line.dash = series_dash(row), line.grade = grade;
        line.title = link.from + "-" + link.to + ": " + d.legend.back().text;
        decorate(line, link.state, flows);
        d.lines.push_back(std::move(line));
      }
    }
    if (flows) d.notes.push_back("Thick lines are on the way, grey ones are not.");
  }

private:
  std::size_t number(const std::string& name) const {
    const auto at = numbers_.find(name);
    if (at == numbers_.end()) throw InputError("'" + name + "' is no place to draw");
    return at->second;
  }
  bool is_assumed(std::size_t row, const char* figure) const {
    const std::string word = wires_.at("assumed").text(row);
    return word == figure || word == "both";
  }
  // "63.02 GB/s, 300 ns (assumed)".
  std::string figures(std::size_t row) const {
    const auto figure = [&](const char* name) {
      const Column& column = wires_.at(name);
      return format_quantity(column.number(row), column.unit) + (is_assumed(row, name) ? " (assumed)" : "");
    };
    return figure("bandwidth") + ", " + figure("latency");
  }
  // What flows take is drawn thick, and what they leave in grey.
  static void decorate(DiagramLine& line, const std::string& state, bool flows) {
    if (state == "cut") {
      line.colour = alarm, line.dash = Dash::dotted, line.label = "cut", line.title += ", cut";
    } else if (state.size() > 1 && state.front() == 'x') {
      line.width = 3.5;
      if (state != "x1") line.label = state.substr(1) + " flows";
      line.title += ", " + (state == "x1" ? "1 flow" : line.label);
    } else if (flows) {
      line.colour = grey, line.width = 1;
    }
  }

  const Table &places_, &wires_;
  std::map<std::string, std::size_t> numbers_;
};

std::vector<std::vector<std::size_t>> neighbours_of(const Diagram& d) {
  std::vector<std::vector<std::size_t>> of(d.boxes.size());
  for (const DiagramLine& line : d.lines) of[line.a].push_back(line.b), of[line.b].push_back(line.a);
  return of;
}

// How many links each box is from a socket, and memories one row above the sockets that they hang on.
void set_rows(Diagram& d, const std::vector<std::vector<std::size_t>>& neighbours) {
  std::vector<std::size_t> away(d.boxes.size(), nowhere);
  const auto only_at_sockets = [&](std::size_t box) {
    return d.boxes[box].kind == "memory" && !neighbours[box].empty() &&
           std::all_of(neighbours[box].begin(), neighbours[box].end(),
                       [&](std::size_t n) { return d.boxes[n].kind == "socket"; });
  };
  std::deque<std::size_t> reached;
  const auto start = [&](std::size_t box) { away[box] = 0, reached.push_back(box); };
  const auto spread = [&] {
    for (; !reached.empty(); reached.pop_front())
      for (const std::size_t next : neighbours[reached.front()])
        if (away[next] == nowhere && !only_at_sockets(next))
          away[next] = away[reached.front()] + 1, reached.push_back(next);
  };
  for (std::size_t box = 0; box < d.boxes.size(); ++box)
    if (d.boxes[box].kind == "socket") start(box);
  spread();
  bool memories = false;
  for (std::size_t box = 0; box < d.boxes.size(); ++box) memories = memories || only_at_sockets(box);
  for (std::size_t box = 0; box < d.boxes.size(); ++box) {
    if (away[box] == nowhere && !only_at_sockets(box)) start(box), spread(); // what no socket is linked with
    d.boxes[box].row = only_at_sockets(box) ? 0 : away[box] + (memories ? 1 : 0);
  }
}

// Every box below the middle of those that it is linked with in the row of the sockets' side; equals in the
// order of the table.
void set_places(Diagram& d, const std::vector<std::vector<std::size_t>>& neighbours) {
  std::map<std::size_t, std::vector<std::size_t>> rows;
  for (std::size_t box = 0; box < d.boxes.size(); ++box) rows[d.boxes[box].row].push_back(box);
  const auto number = [&](const std::vector<std::size_t>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      d.boxes[row[i]].place = static_cast<double>(i) - (static_cast<double>(row.size()) - 1) / 2;
  };
  for (auto& [at, row] : rows) number(row);
  const auto order = [&](std::vector<std::size_t>& row, std::size_t by) {
    std::map<std::size_t, double> middle;
    for (const std::size_t box : row) {
      double sum = 0, count = 0;
      for (const std::size_t n : neighbours[box])
        if (d.boxes[n].row == by) {
          const double wide = static_cast<double>(rows[by].size());
          sum += d.boxes[n].place / wide, count += 1;
        }
      middle[box] = count > 0 ? sum / count : 0;
    }
    std::stable_sort(row.begin(), row.end(),
                     [&](std::size_t a, std::size_t b) { return middle[a] < middle[b]; });
    number(row);
  };
  for (auto at = rows.begin(); at != rows.end(); ++at)
    if (at != rows.begin()) order(at->second, std::prev(at)->first);
}

} // namespace

Diagram diagram_of(const Result& result) {
  Diagram d{.title = result.title};
  Reader reader(result);
  reader.name(d);
  reader.add_boxes(d);
  reader.add_lines(d);
  const auto neighbours = neighbours_of(d);
  set_rows(d, neighbours);
  set_places(d, neighbours);
  d.notes.insert(d.notes.begin(), result.verdict.begin(), result.verdict.end());
  return d;
}

} // namespace perfmodel::plots
