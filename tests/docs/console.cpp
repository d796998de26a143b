#include "console.hpp"

#include "cli/run.hpp"
#include "hwdb/database.hpp"

#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace perfmodel::docs {

namespace {

// Words as a shell splits them: spaces part, single and double quotes hold together. "|" is a word.
Lines words_of(const std::string& command) {
  Lines words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (const char c : command) {
    if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c, any = true;
    else if (quote == 0 && c == ' ') {
      if (any) words.push_back(std::exchange(word, ""));
      any = false;
    } else
      word += c, any = true;
  }
  if (any) words.push_back(word);
  return words;
}

// The commands between the pipes.
std::vector<Lines> pipeline_of(const std::string& line) {
  std::vector<Lines> commands(1);
  for (std::string& word : words_of(line)) {
    if (word == "|")
      commands.emplace_back();
    else
      commands.back().push_back(std::move(word));
  }
  return commands;
}

Lines grep(const Lines& lines, const Lines& words) {
  auto syntax = std::regex::grep;
  bool without = false;
  std::size_t after = 0, most = lines.size();
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "-v")
      without = true;
    else if (words[i] == "-E")
      syntax = std::regex::egrep;
    else if (words[i] == "-A")
      after = std::stoul(words.at(++i));
    else if (words[i] == "-m")
      most = std::stoul(words.at(++i));
    else
      throw std::invalid_argument("grep " + words[i] + " is not known here");
  }
  const std::regex pattern(words.back(), syntax);
  Lines found;
  std::size_t matches = 0, shown_to = 0; // the first line that is not shown yet
  for (std::size_t i = 0; i < lines.size() && matches < most; ++i) {
    if (std::regex_search(lines[i], pattern) == without) continue;
    ++matches;
    if (after > 0 && !found.empty() && i > shown_to) found.emplace_back("--");
    std::size_t end = i + 1;
    while (end < lines.size() && end <= i + after) ++end;
    for (std::size_t k = std::max(i, shown_to); k < end; ++k) found.push_back(lines[k]);
    shown_to = end;
  }
  return found;
}

// A line by its number, or those that match.
bool is_at(const std::string& address, const std::string& line, std::size_t number) {
  if (address.front() != '/') return std::stoul(address) == number;
  return std::regex_search(line, std::regex(address.substr(1, address.size() - 2), std::regex::basic));
}

// sed -n 'FROM,TOp; FROM,TOp', and sed FROM,TOd: by numbers, or /what matches/.
Lines sed(const Lines& lines, const Lines& words) {
  static const std::regex range("([0-9]+|/[^/]*/),([0-9]+|/[^/]*/)([pd])(; *|$)");
  const bool prints = words.size() == 3 && words[1] == "-n";
  const std::string& script = words.back();
  std::vector<std::smatch> ranges(std::sregex_iterator(script.begin(), script.end(), range), {});
  std::size_t read = 0;
  for (const std::smatch& one : ranges) read += one.str(3) == (prints ? "p" : "d") ? one.str().size() : 0;
  if ((!prints && words.size() != 2) || read != script.size())
    throw std::invalid_argument("sed -n 'FROM,TOp; ..' and sed FROM,TOd are all that is known here");
  Lines found;
  std::vector<bool> inside(ranges.size());
  for (std::size_t number = 1; number <= lines.size(); ++number) {
    const std::string& line = lines[number - 1];
    bool in_any = false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const bool first = !inside[i] && is_at(ranges[i].str(1), line, number);
      in_any = in_any || inside[i] || first;
      inside[i] = first || (inside[i] && !is_at(ranges[i].str(2), line, number));
    }
    if (in_any == prints) found.push_back(line);
  }
  return found;
}

// cut -d, -f2,5
Lines cut(const Lines& lines, const Lines& words) {
  if (words.size() != 3 || words[1] != "-d," || words[2].substr(0, 2) != "-f")
    throw std::invalid_argument("cut -d, -f1,2 is all that is known here");
  const auto parts_of = [](const std::string& text) {
    Lines parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
  };
  Lines found;
  for (const std::string& line : lines) {
    const Lines parts = parts_of(line + ",");
    std::string kept;
    for (const std::string& field : parts_of(words[2].substr(2)))
      if (const std::size_t at = std::stoul(field); at <= parts.size())
        kept += (kept.empty() ? "" : ",") + parts[at - 1];
    found.push_back(kept);
  }
  return found;
}

Lines filtered(Lines lines, const Lines& words) {
  if (words.at(0) == "grep") return grep(lines, words);
  if (words.at(0) == "sed") return sed(lines, words);
  if (words.at(0) == "cut") return cut(lines, words);
  if ((words.at(0) != "head" && words.at(0) != "tail") || words.at(1) != "-n")
    throw std::invalid_argument("'| " + words.at(0) + "' is not known here");
  const std::size_t n = std::min<std::size_t>(lines.size(), std::stoul(words.at(2)));
  if (words.at(0) == "head")
    lines.resize(n);
  else
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(n));
  return lines;
}

Printed run(Lines words) {
  if (words.empty() || words.front() != "./perfmodel")
    throw std::invalid_argument("a console block runs ./perfmodel and nothing else");
  static std::map<Lines, Printed> known;
  const bool writes = std::find(words.begin(), words.end(), "-o") != words.end();
  if (const auto found = known.find(words); found != known.end() && !writes) return found->second;
  const Lines key = words;
  words.erase(words.begin());
  std::ostringstream out, err;
  static const hwdb::Database shipped(hwdb::default_folder());
  const int code = cli::run(words, out, err, {}, &shipped);
  return known[key] = {code, lines_of(code == 2 ? err.str() : out.str())};
}

} // namespace

Printed printed_by(const std::string& line) {
  std::vector<Lines> commands = pipeline_of(line);
  Printed printed = run(std::move(commands.front()));
  for (std::size_t i = 1; i < commands.size(); ++i)
    printed.lines = filtered(std::move(printed.lines), commands[i]);
  return printed;
}

} // namespace perfmodel::docs
