#include "node_file.hpp"

#include "node_figure.hpp"
#include "yaml_map.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace perfmodel::hwdb {

namespace {

constexpr std::size_t most_places = 200, most_wires = 20, most_links = 2000;

// In --flows and --cut names stand between '-' and ','.
void check_place_name(const YamlMap& map, const std::string& name) {
  if (!is_plain_name(name) || name.size() > 30 || name.find('-') != std::string::npos)
    map.refuse(map.line_of("names"),
               fmt::format("the place {} is no plain word: 1 to 30 letters, digits, '.' and "
                           "'_' are expected, a letter or digit first",
                           perfmodel::quoted(name)));
}

template <std::size_t N>
std::size_t one_of(YamlMap& map, const char* key, const std::string_view (&words)[N],
                   const std::string& otherwise) {
  const std::string word = otherwise.empty() ? map.text(key) : map.text_or(key, otherwise);
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] == word) return i;
  const std::vector<std::string> all(std::begin(words), std::end(words));
  map.refuse(map.line_of(key),
             fmt::format("unknown {} {}{}; one of {} is expected", key, perfmodel::quoted(word),
                         suggestion(word, all), fmt::join(all, ", ")));
}

class NodeReader {
public:
  NodeReader(const std::string& file, Sources sources) : file_(file), sources_(std::move(sources)) {}

  void add_places(const YAML::Node& list, const YamlMap& map) {
    if (!list.IsSequence()) map.refuse(list, "'places' is not a list");
    for (const YAML::Node& item : list) add_places_of(item);
    if (node.places.empty()) map.refuse(list, "a node has at least one place");
  }

  void add_wires(const YAML::Node& of) {
    YamlMap wires(of, file_, "'wires'");
    for (const YamlMap::Entry& entry : wires.entries()) {
      YamlMap map(entry.value, file_, fmt::format("wire {}", perfmodel::quoted(entry.key)), entry.line);
      if (!is_plain_name(entry.key)) map.refuse(entry.line, "a wire's name is a plain word");
      if (node.wires.size() == most_wires)
        map.refuse(entry.line, fmt::format("more than {} wires", most_wires));
      NodeWire wire{.name = entry.key, .title = map.text("title")};
      wire.bandwidth = figure<BytesPerSecond>(map.at("bandwidth"), "bandwidth", map);
      wire.latency = figure<Seconds>(map.at("latency"), "latency", map);
      static constexpr std::string_view duplex[] = {"full", "half"}, spread[] = {"false", "true"};
      wire.half_duplex = one_of(map, "duplex", duplex, "full") == 1;
      wire.spread = one_of(map, "spread", spread, "false") == 1;
      map.finish();
      node.wires.push_back(std::move(wire));
    }
  }

  void add_links(const YAML::Node& of) {
    YamlMap links(of, file_, "'links'");
    std::vector<std::string> known;
    for (const NodeWire& wire : node.wires) known.push_back(wire.name);
    std::vector<bool> used(known.size(), false);
    for (const YamlMap::Entry& entry : links.entries()) {
      const auto wire = std::find(known.begin(), known.end(), entry.key);
      if (wire == known.end())
        links.refuse(entry.line, fmt::format("links of an unknown wire {}{}; the wires are {}",
                                             perfmodel::quoted(entry.key), suggestion(entry.key, known),
                                             fmt::join(known, ", ")));
      used[static_cast<std::size_t>(wire - known.begin())] = true;
      for (const std::string& text : links.texts(entry.key))
        add_link(links, entry.line, text, static_cast<std::size_t>(wire - known.begin()));
    }
    if (node.links.empty()) links.refuse(links.line_of(""), "a node has at least one link");
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i])
        links.refuse(links.line_of(""),
                     fmt::format("no link is made of the wire {}", perfmodel::quoted(known[i])));
  }

  NodeGraph node;

private:
  template <class Q>
  NodeFigure<Q> figure(const YAML::Node& value, const std::string& key, const YamlMap& map) {
    return parse_node_figure<Q>(value, file_, key, map.line_of(key), sources_);
  }

  void add_places_of(const YAML::Node& item) {
    YamlMap map(item, file_, "a place");
    NodePlace place;
    place.kind = static_cast<PlaceKind>(one_of(map, "kind", place_kind_names, ""));
    place.title = map.text_or("title", "");
    if (const YAML::Node* crossing = map.find("crossing"))
      place.crossing = figure<Seconds>(*crossing, "crossing", map);
    for (const std::string& name : map.texts("names")) {
      check_place_name(map, name);
      if (!numbers_.emplace(name, node.places.size()).second)
        map.refuse(map.line_of("names"), fmt::format("the place '{}' is there twice", name));
      if (node.places.size() == most_places)
        map.refuse(map.line_of("names"), fmt::format("more than {} places", most_places));
      place.name = name;
      node.places.push_back(place);
    }
    map.finish();
  }

  std::size_t end_of(const YamlMap& map, int line, const std::string& link, const std::string& name) const {
    const auto at = numbers_.find(name);
    if (at != numbers_.end()) return at->second;
    std::vector<std::string> known;
    for (const NodePlace& place : node.places) known.push_back(place.name);
    map.refuse(line, fmt::format("the link {} ends at an unknown place {}{}", perfmodel::quoted(link),
                                 perfmodel::quoted(name), suggestion(name, known)));
  }

  void add_link(const YamlMap& map, int line, const std::string& text, std::size_t wire) {
    PlacePair ends;
    try {
      ends = place_pair(text, "the link");
    } catch (const InputError& e) {
      map.refuse(line, e.what());
    }
    const NodeLink link{end_of(map, line, text, ends.from), end_of(map, line, text, ends.to), wire, false};
    if (link.a == link.b)
      map.refuse(line, fmt::format("the link {} ends where it begins", perfmodel::quoted(text)));
    if (!joined_.emplace(std::minmax(link.a, link.b), 0).second)
      map.refuse(line, fmt::format("{} and {} are linked twice: give one wire with the bandwidth of all",
                                   ends.from, ends.to));
    if (node.links.size() == most_links) map.refuse(line, fmt::format("more than {} links", most_links));
    node.links.push_back(link);
  }

  const std::string& file_;
  Sources sources_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::pair<std::size_t, std::size_t>, int> joined_;
};

} // namespace

NodeFile parse_node(const std::string& text, const std::string& file, const Sources& sources) {
  const YAML::Node root = parse_yaml(text, file);
  if (root.IsNull()) throw InputError(file + " is empty");
  YamlMap map(root, file, "the file");
  Sources all = sources;
  if (const YAML::Node* own = map.find("sources")) {
    YamlMap own_map(*own, file, "'sources'");
    for (const YamlMap::Entry& entry : own_map.entries()) all[entry.key] = own_map.text(entry.key);
  }
  NodeReader reader(file, std::move(all));
  reader.node.name = map.text("name"), reader.node.title = map.text("title");
  if (!is_plain_name(reader.node.name))
    map.refuse(map.line_of("name"), fmt::format("the name {} is no plain word: 1 to 60 letters, digits, '-', "
                                                "'.' and '_' are expected, a letter or digit first",
                                                perfmodel::quoted(reader.node.name)));
  NodeFile read;
  if (map.find("aliases") != nullptr) read.aliases = map.texts("aliases");
  reader.add_places(map.at("places"), map);
  reader.add_wires(map.at("wires"));
  reader.add_links(map.at("links"));
  map.finish();
  read.node = std::move(reader.node);
  return read;
}

} // namespace perfmodel::hwdb
