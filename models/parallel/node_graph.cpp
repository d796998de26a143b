#include "node_graph.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp" // suggestion
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace perfmodel {

namespace {

constexpr std::size_t few = 32; // names that a sentence still lists

std::size_t find_place(const NodeGraph& graph, std::string_view name) {
  const auto at = std::find_if(graph.places.begin(), graph.places.end(),
                               [&](const NodePlace& p) { return p.name == name; });
  return static_cast<std::size_t>(at - graph.places.begin());
}

bool joins(const NodeLink& link, std::size_t a, std::size_t b) {
  return (link.a == a && link.b == b) || (link.a == b && link.b == a);
}

} // namespace

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (std::string_view rest = list;;) {
    const std::size_t comma = rest.find(',');
    words.emplace_back(trimmed(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return words;
    rest.remove_prefix(comma + 1);
  }
}

PlacePair place_pair(std::string_view text, std::string_view what) {
  const std::size_t dash = text.find('-');
  const PlacePair pair{std::string(trimmed(text.substr(0, dash))),
                       dash == std::string_view::npos ? "" : std::string(trimmed(text.substr(dash + 1)))};
  if (pair.from.empty() || pair.to.empty() || pair.to.find('-') != std::string::npos)
    throw InputError(fmt::format("{} {}: two places with '-' between them are expected, such as cpu0-cpu1",
                                 what, quoted(text)));
  return pair;
}

std::size_t NodeGraph::place(std::string_view wanted) const {
  const std::size_t at = find_place(*this, wanted);
  if (at < places.size()) return at;
  std::vector<std::string> known;
  for (const NodePlace& p : places) known.push_back(p.name);
  const std::string hint = suggestion(wanted, known);
  if (known.size() > few) known.resize(few), known.emplace_back("...");
  throw InputError(fmt::format("{} has no place {}{}; its places are {}", name, quoted(wanted), hint,
                               fmt::join(known, ", ")));
}

std::string NodeGraph::link_name(std::size_t link) const {
  return places[links[link].a].name + "-" + places[links[link].b].name;
}

void NodeGraph::cut(std::string_view list) {
  for (const std::string& word : words_of(list)) {
    const bool is_link = word.find('-') != std::string::npos;
    const PlacePair ends = is_link ? place_pair(word, "--cut") : PlacePair{word, ""};
    const std::size_t a = place(ends.from), b = is_link ? place(ends.to) : a;
    std::size_t found = 0;
    for (NodeLink& link : links)
      if (is_link ? joins(link, a, b) : link.a == a || link.b == a) link.cut = true, ++found;
    if (found == 0)
      throw InputError(
          is_link ? fmt::format("--cut {}: no link joins {} and {}", quoted(word), ends.from, ends.to)
                  : fmt::format("--cut {}: it has no links", quoted(word)));
  }
}

} // namespace perfmodel
