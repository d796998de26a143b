// The ranks of a program over time: what each does or waits for, and the messages between them.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/parallel/message.hpp"
#include "rank_words.hpp"
#include "waiting_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perfmodel {

namespace message_times {

enum Kinds : std::size_t { computing, sending, receiving, at_barrier, at_lock };
constexpr RankRow row{.pitch = 1.6, .height = 0.6};
constexpr std::size_t most_ranks = 32;

std::size_t kind_of(Action action) {
  switch (action) {
  case Action::send:
    return sending;
  case Action::receive:
    return receiving;
  case Action::barrier:
    return at_barrier;
  case Action::lock:
  case Action::unlock:
    return at_lock;
  default:
    return computing;
  }
}

// A program may say of a send whether it waits; of the others --sends does.
std::string_view which_wait(const MessageModel::Input& in) {
  bool waits = false, goes_on = false;
  for (const std::vector<Statement>& code : in.program->code)
    for (const Statement& s : code) {
      if (s.action != Action::send) continue;
      const bool buffered =
          s.mode == SendMode::buffered || (s.mode == SendMode::as_asked && in.sends == Sends::buffered);
      (buffered ? goes_on : waits) = true;
    }
  if (!goes_on) return "each send waits until it is received";
  return waits ? "some sends wait until they are received" : "no send waits to be received";
}

} // namespace message_times

Drawing draw_messages(const Gpu&, const Request& request) {
  using namespace message_times;
  const auto in = input_of<MessageModel::Input>(request);
  const RunOutcome run = run_logged(in);
  if (run.ranks.size() > most_ranks)
    throw InputError(fmt::format("--draw messages: {} ranks can be seen in a picture, not {}", most_ranks,
                                 run.ranks.size()));
  Drawing d;
  d.kinds = {{"computes"}, {"sends"}, {"receives"}, {"barrier"}, {"lock"}};
  d.across = "time", d.across_unit = unit_of<Seconds>();
  Seconds end;
  for (const RankOutcome& rank : run.ranks) end = std::max(end, rank.time);
  d.width = end.value > 0 ? end.value : std::numeric_limits<double>::min();
  d.height = row.top(run.ranks.size() - 1) + row.height;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
    d.rows.push_back({row.middle(rank), fmt::format("rank {}", rank)});
  for (const RunLog::Span& span : run.log.spans)
    d.cells.push_back({.left = span.from.value,
                       .top = row.top(span.rank),
                       .width = (span.to - span.from).value,
                       .height = row.height,
                       .text = word_of(span.action),
                       .title = fmt::format("rank {}, line {}: {}, {}", span.rank, span.line,
                                            word_of(span.action), in_words(span.to - span.from)),
                       .kind = kind_of(span.action)});
  for (const RunLog::Delivery& m : run.log.deliveries) {
    const bool down = m.receiver > m.sender;
    d.arrows.push_back({.from_x = m.left.value,
                        .from_y = row.top(m.sender) + (down ? row.height : 0),
                        .to_x = m.there.value,
                        .to_y = row.top(m.receiver) + (down ? 0 : row.height),
                        .title = fmt::format("{} from rank {} to rank {}, {}", m.value, m.sender, m.receiver,
                                             in_words(m.there - m.left)),
                        .tone = Drawing::Tone::series});
  }
  const std::string messages = in_words(static_cast<double>(run.log.deliveries.size()), "messages");
  const std::string sends = fmt::format("{} ranks, {}", run.ranks.size(), which_wait(in));
  if (run.waits.empty()) {
    d.title = "Messages over time: " + sends;
    d.verdict = {fmt::format("{}; the last rank ends after {}.", messages, in_words(end))};
    return d;
  }
  add_waits(d, run, end, row);
  d.title = "Who waits for whom: " + sends;
  d.verdict = {fmt::format("{}; {} of {} ranks wait for ever: {}.", messages, run.waits.size(),
                           run.ranks.size(), waits_in_words(run.waits)),
               "Arrows lead from who waits to whom it waits for."};
  return d;
}

} // namespace perfmodel
