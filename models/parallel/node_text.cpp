// A node as text: one line each for its name, places, wires and links, fields between tabs. The reader of
// YAML hands a node over so; it is no format for people.
#include "node_graph.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>

namespace perfmodel {

namespace {

constexpr std::size_t most_node_lines = 20000;

// Titles and reasons are a user's: tabs and line ends in them would become fields.
std::string flat(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

template <class Q> std::string figure_text(const NodeFigure<Q>& f) {
  return fmt::format("{}\t{}\t{}\t{}\t{}", format_exact(f.value.value), format_exact(f.low.value),
                     format_exact(f.high.value), name_of(f.grade), flat(f.source));
}

[[noreturn]] void refuse(std::string_view line) {
  throw InputError(
      fmt::format("not a node: {}; a name of 'hwdb/nodes' or a YAML file is expected", quoted(line)));
}

// The fields of one line, taken one after the other.
class Fields {
public:
  explicit Fields(std::string_view line) : line_(line), rest_(line) {}
  std::string word() {
    if (done_) refuse(line_);
    const std::size_t tab = rest_.find('\t');
    const std::string word(rest_.substr(0, tab));
    done_ = tab == std::string_view::npos;
    if (!done_) rest_.remove_prefix(tab + 1);
    return word;
  }
  double number() {
    const std::string text = word();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) refuse(line_);
    return value;
  }
  std::size_t index(std::size_t count) {
    const double value = number();
    if (!(value >= 0 && value < static_cast<double>(count)) || value != std::floor(value)) refuse(line_);
    return static_cast<std::size_t>(value);
  }
  bool flag() { return index(2) == 1; }
  template <class Q> NodeFigure<Q> figure() {
    NodeFigure<Q> f{Q(number()), Q(number()), Q(number()), Grade::known, ""};
    const std::string grade = word();
    if (grade != name_of(Grade::known) && grade != name_of(Grade::assumed)) refuse(line_);
    f.grade = grade == name_of(Grade::known) ? Grade::known : Grade::assumed;
    f.source = word();
    if (!(f.low <= f.value && f.value <= f.high) || f.low < Q(0)) refuse(line_);
    return f;
  }

private:
  std::string_view line_, rest_;
  bool done_ = false;
};

PlaceKind kind_of(const std::string& word, std::string_view line) {
  for (std::size_t i = 0; i < std::size(place_kind_names); ++i)
    if (place_kind_names[i] == word) return static_cast<PlaceKind>(i);
  refuse(line);
}

void add_line(NodeGraph& node, std::string_view line) {
  Fields fields(line);
  const std::string what = fields.word();
  if (what == "node") {
    node.name = fields.word(), node.title = fields.word();
  } else if (what == "place") {
    NodePlace place{.name = fields.word()};
    place.kind = kind_of(fields.word(), line);
    place.title = fields.word(), place.crossing = fields.figure<Seconds>();
    node.places.push_back(std::move(place));
  } else if (what == "wire") {
    NodeWire wire{.name = fields.word(), .title = fields.word()};
    wire.half_duplex = fields.flag(), wire.spread = fields.flag();
    wire.bandwidth = fields.figure<BytesPerSecond>(), wire.latency = fields.figure<Seconds>();
    if (!(wire.bandwidth.low > BytesPerSecond(0))) refuse(line);
    node.wires.push_back(std::move(wire));
  } else if (what == "link") {
    NodeLink link;
    link.a = fields.index(node.places.size()), link.b = fields.index(node.places.size());
    link.wire = fields.index(node.wires.size()), link.cut = fields.flag();
    node.links.push_back(link);
  } else {
    refuse(line);
  }
}

} // namespace

std::string NodeGraph::text() const {
  std::string out = fmt::format("node\t{}\t{}\n", flat(name), flat(title));
  for (const NodePlace& p : places)
    out += fmt::format("place\t{}\t{}\t{}\t{}\n", p.name, name_of(p.kind), flat(p.title),
                       figure_text(p.crossing));
  for (const NodeWire& w : wires)
    out += fmt::format("wire\t{}\t{}\t{:d}\t{:d}\t{}\t{}\n", w.name, flat(w.title), w.half_duplex, w.spread,
                       figure_text(w.bandwidth), figure_text(w.latency));
  for (const NodeLink& l : links) out += fmt::format("link\t{}\t{}\t{}\t{:d}\n", l.a, l.b, l.wire, l.cut);
  return out;
}

NodeGraph NodeGraph::from_text(std::string_view text) {
  NodeGraph node;
  std::size_t lines = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (!line.empty()) add_line(node, line);
    if (++lines > most_node_lines) throw InputError("a node of so many places and links is not looked at");
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (node.name.empty() || node.places.empty()) refuse(text);
  return node;
}

} // namespace perfmodel
