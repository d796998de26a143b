#include "message_ranks.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel {

namespace {

std::string_view word_of(Action action) {
  switch (action) {
  case Action::send:
    return "send";
  case Action::receive:
    return "receive";
  case Action::lock:
    return "lock";
  default:
    return "barrier";
  }
}

std::string place_of(const Wait& wait) { return fmt::format("{}, line {}", word_of(wait.action), wait.line); }

} // namespace

void add_ranks(MessageModel::Tables& tables, const RunOutcome& outcome) {
  auto& ranks = std::get<3>(tables);
  auto& waits = std::get<4>(tables);
  for (std::size_t r = 0; r < outcome.ranks.size(); ++r) {
    const RankOutcome& rank = outcome.ranks[r];
    ranks.push_back({.rank = std::to_string(r),
                     .prints = fmt::format("{}", fmt::join(rank.printed, " ")),
                     .state = "ended",
                     .time = rank.time,
                     .computing = rank.computing,
                     .waiting = rank.time - rank.computing,
                     .sends = static_cast<double>(rank.sent),
                     .unreceived = static_cast<double>(rank.unreceived)});
  }
  const std::vector<std::size_t> cycle = cycle_of(outcome.waits);
  for (const Wait& wait : outcome.waits) {
    ranks[wait.rank].state = "waits in " + place_of(wait);
    const auto at = std::find(cycle.begin(), cycle.end(), wait.rank);
    const std::size_t next = at == cycle.end() ? 0 : (at + 1 == cycle.end() ? cycle.front() : *(at + 1));
    for (const std::size_t other : wait.for_ranks)
      waits.push_back({.rank = std::to_string(wait.rank),
                       .waits_for = std::to_string(other),
                       .statement = place_of(wait),
                       .in_cycle = at != cycle.end() && other == next ? "yes" : "no"});
  }
}

std::string verdict_of_ranks(const MessageModel::Tables& rows) {
  const auto& ranks = std::get<3>(rows);
  const auto& waits = std::get<4>(rows);
  std::string text;
  std::size_t in_cycle = 0;
  for (const auto& wait : waits) {
    if (wait.in_cycle != "yes") continue;
    if (++in_cycle <= 3)
      text += fmt::format("{} {} waits for rank {} ({})", text.empty() ? "Deadlock: rank" : ", rank",
                          wait.rank, wait.waits_for, wait.statement);
  }
  if (in_cycle > 3) text += fmt::format(", and so on: {} ranks in a circle", in_cycle);
  if (in_cycle > 0) return text + ".";
  if (!waits.empty()) {
    const auto gone = [&](const auto& wait) { // somebody waits for one that has ended
      return std::any_of(ranks.begin(), ranks.end(), [&](const auto& rank) {
        return rank.rank == wait.waits_for && rank.state == "ended";
      });
    };
    const auto at = std::find_if(waits.begin(), waits.end(), gone);
    const auto& w = at == waits.end() ? waits.back() : *at;
    const auto stuck =
        std::count_if(ranks.begin(), ranks.end(), [](const auto& r) { return r.state != "ended"; });
    return fmt::format(
        "{} of {} ranks never {}, though none wait in a circle: rank {} waits for rank {} ({}), "
        "which has ended.",
        stuck, ranks.size(), stuck == 1 ? "ends" : "end", w.rank, w.waits_for, w.statement);
  }
  const auto last = std::max_element(ranks.begin(), ranks.end(),
                                     [](const auto& a, const auto& b) { return a.time < b.time; });
  text = ranks.size() == 1
             ? fmt::format("The rank ends after {}", in_words(last->time))
             : fmt::format("All {} ranks end, the last after {}", ranks.size(), in_words(last->time));
  std::size_t printing = 0;
  for (const auto& rank : ranks)
    if (!rank.prints.empty() && ++printing <= 3)
      text +=
          fmt::format("{} rank {} prints {}", printing == 1 ? ":" : ",", rank.rank, shortened(rank.prints));
  if (printing > 3) text += fmt::format(", and {} more print", printing - 3);
  double lost = 0;
  for (const auto& rank : ranks) lost += rank.unreceived;
  if (lost > 0) text += fmt::format(". Nobody receives {}", in_words(lost, "messages"));
  return text + ".";
}

} // namespace perfmodel
