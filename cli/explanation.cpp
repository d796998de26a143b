#include "explanation.hpp"

#include "cli/cell_text.hpp"
#include "cli/commands/hw/hw.hpp"
#include "cli/examples.hpp"
#include "cli/glossary.hpp"
#include "cli/text_lines.hpp"
#include "models/core/error.hpp"
#include "models/core/fact.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace perfmodel::cli {

namespace {

using hw::text_column;

std::string small(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "; "));
}

Table table_of(const char* title, const std::vector<const char*>& columns) {
  Table table{.title = title};
  for (const char* name : columns)
    table.columns.push_back(text_column(name, table.columns.empty() ? Role::key : Role::note));
  return table;
}

void add(Table& table, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) append(table.columns[i], cells[i]);
}

Table terms_of(std::string_view word) {
  Table table = table_of("terms", {"term", "meaning", "also", "ask", "read"});
  for (const Term* term : terms_called(word))
    add(table, {term->names.front(), term->meaning,
                fmt::format("{}", fmt::join(term->names.begin() + 1, term->names.end(), ", ")),
                joined(term->commands), joined(term->pages)});
  return table;
}

Table models_of(std::string_view word) {
  Table table = table_of("models", {"model", "about", "formula", "source", "ask", "read"});
  for (const Model& model : models()) {
    const std::string name(model.info.name);
    if (term_key(name) != term_key(word)) continue;
    std::vector<std::string> ask = examples_of(model);
    ask.insert(ask.begin(), "perfmodel " + name + " --help");
    add(table, {name, std::string(model.info.summary), std::string(model.info.equation),
                std::string(model.info.source), joined(ask), "docs/models/" + name + ".md"});
  }
  return table;
}

Table facts_of(std::string_view word) {
  Table table = table_of("facts", {"fact", "meaning", "unit", "range", "probe", "models", "ask", "read"});
  for (const KeyInfo& key : all_keys()) {
    if (small(key.path) != small(word)) continue;
    std::vector<std::string> ask{"perfmodel hw show h200"};
    if (!key.probe.empty()) ask.push_back("perfmodel measure " + std::string(key.probe));
    add(table,
        {std::string(key.path), std::string(key.meaning), hw::unit_text(key), hw::range_text(key),
         std::string(key.probe), hw::readers_text(key), joined(ask), "docs/reference/hardware-database.md"});
  }
  return table;
}

// What a column of an answer is, in the words of the models that have it: often the same for several.
Table columns_of(std::string_view word) {
  Table table = table_of("columns", {"column", "meaning", "models"});
  std::vector<std::pair<std::string, std::string>> meanings; // each with its models
  const std::string wanted = term_key(word);
  for (const Model& model : models())
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      if (term_key(model.outputs[i]) != wanted) continue;
      const std::string& help = model.output_helps[i];
      const auto known =
          std::find_if(meanings.begin(), meanings.end(), [&](const auto& m) { return m.first == help; });
      std::string& names = known == meanings.end() ? meanings.emplace_back(help, "").second : known->second;
      const std::string name(model.info.name);
      if (!names.ends_with(name)) names += (names.empty() ? "" : ", ") + name;
    }
  std::string name(word);
  std::replace(name.begin(), name.end(), '_', ' ');
  for (const auto& [meaning, of] : meanings) add(table, {name, meaning, of});
  return table;
}

// Those that hold the word, else the one that is fewest letters away.
std::vector<std::string> near(std::string_view word) {
  constexpr std::size_t most = 5, least_letters = 3;
  std::vector<std::string> names, holding;
  for (const Term& term : glossary()) names.insert(names.end(), term.names.begin(), term.names.end());
  for (const Model& model : models()) names.emplace_back(model.info.name);
  for (const KeyInfo& key : all_keys()) names.emplace_back(key.path);
  for (const Model& model : models()) // as tables head them
    for (const std::string& column : model.outputs) names.push_back(heading(column));
  const std::string wanted = term_key(word);
  for (const std::string& name : names)
    if (holding.size() < most && wanted.size() >= least_letters &&
        term_key(name).find(wanted) != std::string::npos &&
        std::find(holding.begin(), holding.end(), name) == holding.end())
      holding.push_back(name);
  if (holding.empty())
    if (const std::string one = nearest(word, names); !one.empty()) return {one};
  return holding;
}

} // namespace

bool is_explained(std::string_view word) {
  return terms_of(word).rows() + models_of(word).rows() + facts_of(word).rows() > 0;
}

Result explanation(std::string_view word) {
  if (term_key(word).empty() ||
      std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c >= 0x80; }))
    throw InputError(
        fmt::format("explain: {} is no word; 'perfmodel explain' lists the terms", quoted(word)));
  Result result;
  for (Table table : {terms_of(word), models_of(word), facts_of(word)})
    if (table.rows() > 0) result.tables.push_back(std::move(table));
  if (result.tables.empty())
    if (Table table = columns_of(word); table.rows() > 0) result.tables.push_back(std::move(table));
  if (!result.tables.empty()) return result;
  const std::vector<std::string> others = near(word);
  throw InputError(fmt::format(
      "no term, model, fact or column is called {}{}; 'perfmodel explain' lists the terms", quoted(word),
      others.empty() ? "" : fmt::format(" (did you mean '{}'?)", fmt::join(others, "', '"))));
}

std::string explanation_text(const Result& explained, std::size_t columns) {
  std::string out;
  for (const Table& table : explained.tables)
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string kind = table.columns[0].name;
      out += (out.empty() ? "" : "\n") + table.columns[0].text(row) +
             (kind == "term" ? "" : fmt::format(" ({})", kind)) + "\n";
      for (const std::string& line : wrapped(table.columns[1].text(row), columns - 2))
        out += "  " + line + "\n";
      for (std::size_t c = 2; c < table.columns.size(); ++c) {
        constexpr std::size_t label = 9;
        std::string name = table.columns[c].name;
        std::string rest = table.columns[c].text(row);
        const std::string between = name == "ask" || name == "read" ? "; " : "\n";
        while (!rest.empty()) { // a command or a page a line
          const std::size_t end = std::min(rest.find(between), rest.size());
          for (const std::string& line : wrapped(rest.substr(0, end), columns - 2 - label)) {
            out += "  " + padded(name, label) + line + "\n";
            name.clear();
          }
          rest.erase(0, end + between.size());
        }
      }
    }
  return out;
}

Result every_term() {
  Table table = table_of("terms", {"term", "meaning"});
  for (const Term& term : glossary()) add(table, {term.names.front(), term.meaning});
  return {.tables = {std::move(table)}};
}

std::string every_term_text(std::size_t columns) {
  constexpr std::size_t gap = 2;
  std::size_t widest = gap;
  for (const Term& term : glossary()) widest = std::max(widest, width_of(term.names.front()) + gap);
  const std::size_t across = std::max<std::size_t>((columns + gap) / widest, 1);
  const std::size_t down = (glossary().size() + across - 1) / across;
  std::string out;
  for (std::size_t row = 0; row < down; ++row) { // sorted from top to bottom, as a list of files is
    std::string line;
    for (std::size_t i = row; i < glossary().size(); i += down)
      line += padded(glossary()[i].names.front(), widest);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out += "\n";
  for (const std::string& line :
       wrapped("'perfmodel explain TERM' says what one means; models, and the facts of "
               "'perfmodel hw keys', are explained as well.",
               columns))
    out += line + "\n";
  return out;
}

} // namespace perfmodel::cli
