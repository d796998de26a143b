#include "pipes.hpp"

#include "instruction_class.hpp"

#include "models/core/error.hpp"
#include "models/core/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t from = text.find_first_not_of(separators);
    if (from == text.npos) return words;
    text.remove_prefix(from);
    const std::size_t to = std::min(text.find_first_of(separators), text.size());
    words.emplace_back(text.substr(0, to));
    text.remove_prefix(to);
  }
}

bool overlap(const PipeSet& a, const PipeSet& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& pipe) { return b.count(pipe) != 0; });
}

// Lanes per clock of the sets of pipes that classes name, and of every pipe that can be told apart.
std::map<PipeSet, double> lanes_of(const Gpu& gpu, const std::map<std::string, PipeUse, std::less<>>& uses) {
  std::map<PipeSet, double> lanes;
  for (const auto& [name, use] : uses) {
    const InstructionClass& c = instruction_class(name);
    for (const Key<PerCycle>* key : {c.throughput, c.otherwise}) {
      const auto known = key == nullptr ? std::nullopt : gpu.find(*key);
      if (!known) continue;
      double& fastest = lanes[use.pipes];
      fastest = std::max(fastest, known->value.value / c.results());
      break;
    }
  }
  for (const auto& [pipes, all] : std::map(lanes)) { // the only pipe of a set that is not known alone
    double rest = all;
    PipeSet unknown;
    for (const std::string& pipe : pipes) {
      const auto alone = lanes.find({pipe});
      if (alone == lanes.end())
        unknown.insert(pipe);
      else
        rest -= alone->second;
    }
    if (unknown.size() == 1 && rest > 0) lanes[unknown] = rest;
  }
  return lanes;
}

} // namespace

std::string name_of(const PipeSet& pipes) { return fmt::format("{}", fmt::join(pipes, "+")); }

Pipes::Pipes(std::string_view text) {
  for (const std::string& entry : words_of(text, ";")) {
    const std::size_t colon = entry.find(':');
    const std::string_view left = std::string_view(entry).substr(0, colon);
    const std::vector<std::string> pipes = words_of(left, " +&");
    if (colon == entry.npos || pipes.empty())
      throw InputError(fmt::format("pipes: 'PIPE: CLASS CLASS' is expected, not '{}'", entry));
    const PipeUse use{{pipes.begin(), pipes.end()}, left.find('&') != left.npos};
    for (const std::string& name : words_of(std::string_view(entry).substr(colon + 1), " ")) {
      instruction_class(name);
      if (!uses_.emplace(name, use).second) throw InputError(fmt::format("pipes: '{}' stands twice", name));
    }
  }
}

PipeUse Pipes::of(std::string_view instruction) const {
  const auto at = uses_.find(instruction);
  return at == uses_.end() ? PipeUse{{std::string(instruction)}, false} : at->second;
}

std::vector<PipeSet> Pipes::unions(std::vector<PipeSet> sets) {
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  for (std::size_t i = 0; i < sets.size(); ++i) // grows while it runs
    for (std::size_t j = 0; j < i; ++j) {
      if (!overlap(sets[i], sets[j])) continue;
      PipeSet both = sets[i];
      both.insert(sets[j].begin(), sets[j].end());
      if (std::find(sets.begin(), sets.end(), both) == sets.end()) sets.push_back(std::move(both));
    }
  return sets;
}

std::optional<double> Pipes::ratio(const Gpu& gpu, const PipeSet& a, const PipeSet& b) const {
  if (a == b) return 1;
  const auto lanes = lanes_of(gpu, uses_);
  const auto sum = [&](const PipeSet& pipes) {
    if (const auto at = lanes.find(pipes); at != lanes.end()) return at->second;
    double all = 0;
    for (const std::string& pipe : pipes) {
      const auto at = lanes.find({pipe});
      all += at == lanes.end() ? absent : at->second;
    }
    return all;
  };
  const double ratio = sum(a) / sum(b);
  if (std::isnan(ratio)) return std::nullopt;
  return ratio;
}

} // namespace perfmodel
