#include "citation.hpp"

#include "cli/latex_text.hpp"
#include "hwdb/yaml_map.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

namespace perfmodel::cli {

namespace {

constexpr std::string_view own_probe = "our probe ";

struct Used {
  std::string source;
  std::size_t facts = 0;
};

std::string entry(const std::string& key, const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text = "@misc{" + key;
  for (const auto& [name, value] : fields) text += fmt::format(",\n  {} = {{{}}}", name, value);
  return text + "\n}\n";
}

} // namespace

Citation parse_citation(std::string_view text) {
  const std::string file = "CITATION.cff";
  hwdb::YamlMap map(hwdb::parse_yaml(std::string(text), file), file, "the citation");
  Citation citation{.title = map.text("title"),
                    .version = map.text("version"),
                    .licence = map.text("license"),
                    .authors = {}};
  for (const YAML::Node& node : map.at("authors"))
    citation.authors.push_back(hwdb::YamlMap(node, file, "an author").text("name"));
  return citation;
}

std::vector<std::string> sources_named(const std::string& sources) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < sources.size();) {
    const std::size_t end = std::min(sources.find("; ", begin), sources.size());
    all.push_back(sources.substr(begin, end - begin));
    begin = end + 2;
  }
  return all;
}

std::vector<CitedWork> works_behind(const Gpu& gpu) {
  std::vector<Used> used;
  const auto count = [&](const std::string& source) {
    const auto at = std::find_if(used.begin(), used.end(), [&](const Used& u) { return u.source == source; });
    if (at == used.end())
      used.push_back({source, 1});
    else
      ++at->facts;
  };
  for (const KeyInfo& key : all_keys())
    if (const FactRecord* fact = gpu.record(key.path); fact != nullptr && fact->status != Status::unverified)
      for (const std::string& source : sources_named(fact->source))
        count(source.rfind(own_probe, 0) == 0
                  ? "perfmodel's own probes; 'perfmodel hw runs " + gpu.name + "' has their runs"
                  : source);
  std::vector<CitedWork> works;
  for (const Used& u : used)
    works.push_back({gpu.name, u.source, fmt::format("{} {}", u.facts, u.facts == 1 ? "fact" : "facts")});
  return works;
}

std::string facts_by_status(const Gpu& gpu) {
  std::array<std::size_t, std::size(status_names)> counts{};
  std::size_t all = 0;
  for (const KeyInfo& key : all_keys())
    if (const FactRecord* fact = gpu.record(key.path)) {
      ++counts[static_cast<std::size_t>(fact->status)];
      ++all;
    }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}", counts[i], status_names[i]));
  return fmt::format("{}: {} facts, {}.{}", gpu.name, all, fmt::join(parts, ", "),
                     counts[static_cast<std::size_t>(Status::unverified)] > 0
                         ? " Unverified ones have no source to be cited."
                         : "");
}

std::string to_bibtex(const Citation& citation, const std::string& revision,
                      const std::vector<CitedWork>& works) {
  std::vector<std::string> authors; // in braces: a name of several words that is no person's
  for (const std::string& author : citation.authors) authors.push_back("{" + latex_text(author) + "}");
  std::string text = entry(
      "perfmodel", {{"author", fmt::format("{}", fmt::join(authors, " and "))},
                    {"title", "{" + latex_text(citation.title) + "}"},
                    {"note", fmt::format("Version {}, revision {}, {} licence", latex_text(citation.version),
                                         latex_text(revision), latex_text(citation.licence))}});
  std::map<std::string, int> number;
  for (const CitedWork& work : works)
    text += "\n" + entry(fmt::format("perfmodel:{}:{}", work.of, ++number[work.of]),
                         {{"title", "{" + latex_text(work.work) + "}"},
                          {"note", latex_text(fmt::format("{}: {}", work.of, work.used_for))}});
  return text;
}

} // namespace perfmodel::cli
