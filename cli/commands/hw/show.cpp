#include "hw.hpp"

#include "cli/citation.hpp"
#include "cli/gpu_names.hpp"
#include "cli/measured_runs.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfmodel::cli::hw {

namespace {

// Sources by number, in the order in which they are first named.
class SourceList {
public:
  // "[1, 4]" for "A; B".
  std::string cite(const std::string& sources) {
    std::string numbers;
    for (const std::string& source : sources_named(sources))
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(number_of(source));
    return "[" + numbers + "]";
  }
  Table table() const {
    Table table{.title = "sources"};
    table.columns = {text_column("number", Role::key), text_column("source")};
    for (std::size_t i = 0; i < all_.size(); ++i) {
      append(table.columns[0], fmt::format("[{}]", i + 1));
      append(table.columns[1], all_[i]);
    }
    return table;
  }

private:
  std::vector<std::string> all_;
  std::size_t number_of(const std::string& source) {
    const auto at = std::find(all_.begin(), all_.end(), source);
    if (at != all_.end()) return static_cast<std::size_t>(at - all_.begin()) + 1;
    all_.push_back(source);
    return all_.size();
  }
};

std::string rivals_text(const KeyInfo& key, const FactRecord& fact, SourceList& sources) {
  Unit unit{base_symbol(key.dimension), key.dimension};
  if (counts_integers(key.path)) unit = as_operations(unit);
  std::string text;
  for (const Rival& r : fact.rivals) {
    text += text.empty() ? "; elsewhere " : ", ";
    text += format_quantity(r.low, unit);
    if (r.high != r.low) text += " to " + format_quantity(r.high, unit);
    text += fmt::format(" ({} {})", name_of(r.status), sources.cite(r.source));
  }
  return text;
}

// The key that `asked` names, else all of the group that begins so: "dram", or "clock.", where there is a
// fact "clock". Throws InputError: there is none.
std::vector<std::string_view> keys_of(const std::string& asked) {
  std::vector<std::string_view> keys;
  std::vector<std::string> known;
  const std::string group = asked.ends_with('.') ? asked : asked + '.';
  for (const KeyInfo& key : all_keys()) {
    if (key.path == asked) return {key.path};
    if (key.path.rfind(group, 0) == 0) keys.push_back(key.path);
    known.emplace_back(key.path);
  }
  if (keys.empty())
    throw InputError(fmt::format("unknown fact '{}'{}; 'perfmodel hw keys' lists all", asked.substr(0, 60),
                                 suggestion(asked, known)));
  return keys;
}

// Those of all that were asked for and that the GPU has; all keys where none was. Throws InputError.
std::set<std::string_view> shown_keys(Context& context, const Gpu& gpu,
                                      const std::vector<std::string>& asked) {
  std::set<std::string_view> shown;
  for (const KeyInfo& key : all_keys())
    if (asked.empty()) shown.insert(key.path);
  for (const std::string& name : asked) {
    const std::vector<std::string_view> keys = keys_of(name);
    shown.insert(keys.begin(), keys.end());
    if (std::any_of(keys.begin(), keys.end(),
                    [&](std::string_view key) { return gpu.record(key) != nullptr; }))
      continue;
    const bool estimated = context.database().completed(gpu).cost_of(keys.front()).has_value();
    throw InputError(fmt::format(
        "{}: nobody has stated or measured {}{}", gpu.name, name,
        estimated ? fmt::format("; 'perfmodel hw costs {}' has what is taken for it", gpu.name) : ""));
  }
  return shown;
}

// "dram.bandwidth: 4.8 TB/s, peak bandwidth of device memory (datasheet)."
std::string said_of(const KeyInfo& key, const FactRecord& fact) {
  return fmt::format("{}: {}, {} ({}).", key.path, value_text(key, fact), key.meaning, name_of(fact.status));
}

// What the whole list is, how sure it is, what was measured, and how a slide may name it.
std::vector<std::string> about_all(Context& context, const Gpu& gpu) {
  std::vector<std::string> verdict{facts_by_status(gpu)};
  verdict.push_back(
      fmt::format("How sure they are: 'perfmodel hw costs {}' has the range of each cost.", gpu.name));
  if (const std::string measured = runs_in_words(gpu, measured_runs(context.database(), gpu));
      !measured.empty())
    verdict.push_back(fmt::format("{} 'perfmodel hw runs {}' has the runs.", measured, gpu.name));
  const Citation citation = parse_citation(citation_file());
  verdict.push_back(
      fmt::format("On a slide: {} {}, {} licence, which holds for its data, and beside a number the source "
                  "that it is taken from; 'perfmodel cite --hw {}' has both to copy.",
                  citation.title, citation.version, citation.licence, gpu.name));
  return verdict;
}

} // namespace

void show(Context& context, const Options& options) {
  options.answer.check();
  const Gpu gpu = with_measurements(context, gpu_named(context, options.name), options.measured_file);
  const std::set<std::string_view> keys = shown_keys(context, gpu, options.facts);
  std::vector<std::string> verdict;
  if (options.facts.empty()) verdict = about_all(context, gpu);
  Table table{.title = fmt::format("{}: {}, {} cc {}", gpu.name, gpu.title, gpu.chip, gpu.architecture)};
  table.columns = {text_column("fact", Role::key), text_column("value"), text_column("status"),
                   text_column("source")};
  const bool data = options.answer.is_data(); // a number is a number there, and its unit a column
  if (data)
    table.columns = {text_column("fact", Role::key), number_column("value", {}), text_column("text"),
                     text_column("base_unit"),       text_column("status"),      text_column("source")};
  std::size_t unverified = 0;
  SourceList sources;
  for (const KeyInfo& key : all_keys()) {
    const FactRecord* fact = gpu.record(key.path);
    if (fact == nullptr || !keys.contains(key.path)) continue;
    if (options.facts.size() == 1 && keys.size() == 1) verdict = {said_of(key, *fact)};
    const bool doubtful = fact->status == Status::unverified;
    unverified += doubtful ? 1 : 0;
    std::string source = sources.cite(fact->source);
    if (fact->layer == Layer::architecture) source += " cc " + gpu.architecture;
    if (!fact->note.empty()) source += " " + fact->note;
    source += rivals_text(key, *fact, sources);
    append(table.columns[0], std::string(key.path));
    if (data) {
      append(table.columns[1], base_value(key, *fact));
      append(table.columns[2], base_text(key, *fact));
      append(table.columns[3], base_symbol(key.dimension));
      append(table.columns[4], std::string(name_of(fact->status)));
      append(table.columns[5], source);
      continue;
    }
    append(table.columns[1], value_text(key, *fact));
    append(table.columns[2], (doubtful ? "! " : "") + std::string(name_of(fact->status)));
    append(table.columns[3], source);
  }
  if (unverified > 0)
    table.notes.push_back("! marks what is unverified: somebody's memory, not to be relied on.");
  give(context, options.answer,
       {.verdict = std::move(verdict), .tables = {std::move(table), sources.table()}});
}

} // namespace perfmodel::cli::hw
