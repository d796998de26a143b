#include "glossary.hpp"

#include "cli/examples.hpp"
#include "models/core/in_words.hpp"
#include "models/core/model.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace perfmodel::cli {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(from, text.find_last_not_of(' ') + 1 - from);
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at; (at = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(at + separator.size()))
    parts.push_back(trimmed(text.substr(0, at)));
  parts.push_back(trimmed(text));
  return parts;
}

std::string without_code_marks(std::string_view text) {
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '`'), plain.end());
  return plain;
}

// What stands between the two, from `at` on, which is moved behind it; empty where they do not stand there.
std::string_view between(std::string_view text, std::string_view open, std::string_view close,
                         std::size_t& at) {
  const std::size_t from = text.find(open, at);
  const std::size_t to = from == std::string_view::npos ? from : text.find(close, from + open.size());
  at = std::min(to, text.size());
  return to == std::string_view::npos ? "" : text.substr(from + open.size(), to - from - open.size());
}

// [warp](models/warp.md), `hw list`
void add_see(Term& term, std::string_view see) {
  for (std::size_t at = 0; at < see.size(); ++at)
    if (const std::string_view command = between(see, "`", "`", at); !command.empty())
      term.commands.push_back("perfmodel " + std::string(command));
  for (std::size_t at = 0; at < see.size();) {
    const std::string_view page = between(see, "](", ")", at);
    if (page.empty()) continue;
    term.pages.push_back("docs/" + std::string(page));
    for (const Model& model : models())
      if (page == "models/" + std::string(model.info.name) + ".md")
        term.commands.push_back(examples_of(model).front());
  }
}

std::string singular(std::string word) {
  const auto ends = [&](std::string_view end) {
    return word.size() > end.size() && word.compare(word.size() - end.size(), end.size(), end) == 0;
  };
  if (ends("ss") || ends("us") || ends("is") || !ends("s")) return word;
  if (ends("ies")) return word.replace(word.size() - 3, 3, "y");
  word.resize(word.size() - (ends("sses") || ends("ches") || ends("shes") ? 2 : 1));
  return word;
}

std::vector<const Term*> named(const std::string& key) {
  std::vector<const Term*> found;
  for (const Term& term : glossary())
    if (std::any_of(term.names.begin(), term.names.end(), [&](const std::string& name) {
          const std::string own = term_key(name);
          return own == key || own == key + "bound";
        }))
      found.push_back(&term);
  return found;
}

} // namespace

std::vector<Term> parse_glossary(std::string_view page) {
  std::vector<Term> terms;
  for (const std::string_view line : parts_of(page, "\n")) {
    if (line.empty() || line.front() != '|' || line.substr(0, 2) == "|-" || line.substr(0, 6) == "| term")
      continue;
    const std::vector<std::string_view> cells = parts_of(line.substr(1), "|");
    if (cells.size() != 4 || !cells.back().empty())
      throw std::invalid_argument("a row of the glossary has three cells: " + std::string(line));
    Term term{.meaning = without_code_marks(cells[1])};
    for (const std::string_view name : parts_of(cells[0], ",")) term.names.emplace_back(name);
    add_see(term, cells[2]);
    terms.push_back(std::move(term));
  }
  return terms;
}

std::span<const Term> glossary() {
  static const std::vector<Term> terms = parse_glossary(glossary_page());
  return terms;
}

std::string term_key(std::string_view word) {
  std::string key, part;
  for (const char c : std::string(word) + " ") {
    if (c == ' ' || c == '-' || c == '_')
      key += singular(std::exchange(part, ""));
    else if (c != '\'') // Little's law
      part += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return key;
}

std::vector<const Term*> terms_called(std::string_view word) {
  std::vector<const Term*> found = named(term_key(word));
  if (!found.empty()) return found;
  std::string_view bound = binding(word);
  if (bound.substr(0, 4) == "the ") bound.remove_prefix(4);
  for (const std::string_view end : {" pipe", " bound", "-bound"})
    if (bound.size() > end.size() && bound.substr(bound.size() - end.size()) == end)
      bound.remove_suffix(end.size());
  return named(term_key(bound.substr(0, bound.find('+')))); // "fmaheavy+fmalite", two pipes
}

} // namespace perfmodel::cli
