#include "rank_program.hpp"

#include "rank_lines.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

using namespace rank_lines;

constexpr std::size_t most_statements = 200'000; // of all ranks
const std::vector<std::string> keywords{"ranks", "shared", "rank",    "print",   "compute", "send",
                                        "ssend", "bsend",  "receive", "barrier", "lock",    "unlock"};

std::size_t index_of(std::vector<std::string>& names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  names.emplace_back(name);
  return names.size() - 1;
}

std::size_t variable_of(RankProgram& program, int line, std::string_view name) {
  if (!is_name(name) || std::find(keywords.begin(), keywords.end(), name) != keywords.end())
    refuse(line, fmt::format("{} is no name of a variable", quoted(name)));
  return index_of(program.variables, name);
}

// How many ranks there are, which variables and which of them are shared.
void declare(RankProgram& program, const std::vector<Line>& lines) {
  program.variables = {"rank", "ranks"};
  std::size_t highest = 0;
  bool all = false, any = false;
  for (const Line& line : lines) {
    if (line.first == "ranks" && line.rest.substr(0, 1) != "=") {
      if (program.ranks > 0) refuse(line.number, "'ranks' stands twice");
      const std::int64_t n = whole(line.number, line.rest, "ranks");
      if (n < 1 || n > static_cast<std::int64_t>(RankProgram::most_ranks))
        refuse(line.number, fmt::format("ranks: 1 to {} are expected", RankProgram::most_ranks));
      program.ranks = static_cast<std::size_t>(n);
    } else if (line.first == "rank" && line.rest.substr(0, 1) != "=") {
      any = true;
      all = all || line.rest == "all";
      for (const std::size_t r : ranks_named(line, 0)) highest = std::max(highest, r + 1);
    } else if (line.first == "shared") {
      std::string_view name = line.rest;
      const std::size_t equals = name.find('=');
      if (equals == name.npos) refuse(line.number, "'shared NAME = NUMBER' is expected");
      const std::int64_t first = whole(line.number, name.substr(equals + 1), "shared");
      program.shared[variable_of(program, line.number, trimmed(name.substr(0, equals)))] = first;
    } else if (line.first == "receive") {
      std::string_view name = line.rest;
      cut_after(name, "from");
      variable_of(program, line.number, name);
    } else if (line.rest.substr(0, 1) == "=") {
      variable_of(program, line.number, line.first);
    }
  }
  if (!any) throw InputError("no 'rank 0' or 'rank all' says who runs the statements");
  if (all && program.ranks == 0) throw InputError("'rank all' needs a line 'ranks N' that says how many");
  if (program.ranks == 0) program.ranks = highest;
  if (highest > program.ranks)
    throw InputError(
        fmt::format("rank {} is named, but there are {} ranks, counted from 0", highest - 1, program.ranks));
}

class Parser {
public:
  explicit Parser(RankProgram& program) : program_(program) {
    for (const std::string& name : program.variables) names_.push_back(name);
  }

  Statement statement(const Line& line) {
    Statement s{.line = line.number};
    std::string_view rest = line.rest;
    if (rest.substr(0, 1) == "=" && rest.substr(0, 2) != "==") {
      s.action = Action::assign;
      s.variable = variable_of(program_, line.number, line.first);
      s.value = {expression(line.number, rest.substr(1))};
    } else if (line.first == "print") {
      s.action = Action::print;
      s.value = {expression(line.number, rest)};
    } else if (line.first == "compute") {
      s.action = Action::compute;
      s.time = Seconds(quantity(line.number, rest, unit_of<Seconds>()));
    } else if (line.first == "send" || line.first == "ssend" || line.first == "bsend") {
      s.action = Action::send;
      s.mode = line.first == "send"    ? SendMode::as_asked
               : line.first == "ssend" ? SendMode::synchronous
                                       : SendMode::buffered;
      const std::string_view to = peer(s, rest, "to");
      s.value = {expression(line.number, rest)};
      s.peer = {expression(line.number, to)};
    } else if (line.first == "receive") {
      s.action = Action::receive;
      const std::string_view from = peer(s, rest, "from");
      s.variable = variable_of(program_, line.number, rest);
      s.peer = {expression(line.number, from)};
    } else if (line.first == "barrier") {
      s.action = Action::barrier;
      if (!rest.empty()) refuse(line.number, "a barrier is of all ranks and takes nothing");
    } else if (line.first == "lock" || line.first == "unlock") {
      s.action = line.first == "lock" ? Action::lock : Action::unlock;
      if (!is_name(rest)) refuse(line.number, fmt::format("{} is no name of a lock", quoted(rest)));
      s.variable = index_of(program_.locks, rest);
    } else {
      refuse(line.number,
             fmt::format("unknown statement {}{}", quoted(line.first), suggestion(line.first, keywords)));
    }
    return s;
  }

private:
  Program expression(int line, std::string_view text) {
    text = trimmed(text);
    if (text.empty()) refuse(line, "an expression is missing");
    try {
      return {Expression::from_text(text), names_, {}};
    } catch (const InputError& e) {
      refuse(line, fmt::format("{}: {}", quoted(text), e.what()));
    }
  }

  double quantity(int line, std::string_view text, const Unit& unit) {
    double value = -1;
    try {
      value = parse_quantity_as(text, unit);
    } catch (const InputError& e) {
      refuse(line, e.what());
    }
    if (!(value >= 0) || value > 1e15) refuse(line, fmt::format("{} is out of range", quoted(text)));
    return value;
  }

  // "x to 1 tag 2 size 4kB" is cut down to "x"; returns "1".
  std::string_view peer(Statement& s, std::string_view& rest, std::string_view word) {
    std::string_view who = cut_after(rest, word);
    if (who.empty()) refuse(s.line, fmt::format("'{} RANK' is missing", word));
    const std::string_view size = cut_after(who, "size");
    std::string_view tag = cut_after(who, "tag");
    if (!tag.empty()) s.tag = whole(s.line, tag, "tag");
    if (!size.empty() && s.action == Action::receive) refuse(s.line, "the sender says the size");
    if (!size.empty()) s.size = Bytes(quantity(s.line, size, unit_of<Bytes>()));
    return who;
  }

  RankProgram& program_;
  std::vector<std::string_view> names_;
};

} // namespace

RankProgram RankProgram::from_text(std::string_view text) {
  RankProgram program;
  program.text_ = std::string(text);
  const std::vector<Line> lines = lines_of(text);
  if (lines.empty()) throw InputError("the program has no statements");
  declare(program, lines);
  program.code.resize(program.ranks);
  Parser parser(program);
  std::vector<std::size_t> who;
  std::size_t statements = 0;
  for (const Line& line : lines) {
    const bool assigns = line.rest.substr(0, 1) == "=";
    if (line.first == "shared" || (line.first == "ranks" && !assigns)) continue;
    if (line.first == "rank" && !assigns) {
      who = ranks_named(line, program.ranks);
      continue;
    }
    const Statement s = parser.statement(line);
    if (who.empty()) refuse(line.number, "'rank 0' or 'rank all' must say first who runs this");
    for (const std::size_t r : who) program.code[r].push_back(s);
    if ((statements += who.size()) > most_statements)
      throw InputError(fmt::format("more than {} statements of all ranks together", most_statements));
  }
  return program;
}

} // namespace perfmodel
