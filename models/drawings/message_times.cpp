// The ranks of a program over time: what each does or waits for, and the messages between them.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/parallel/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perfmodel {

namespace message_times {

enum Kinds : std::size_t { computing, sending, receiving, at_barrier, at_lock, stuck };
constexpr double row_height = 0.6, pitch = 1.6;
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

const char* word_of(Action action) {
  constexpr const char* words[] = {"assign",  "print",   "compute", "send",
                                   "receive", "barrier", "lock",    "unlock"};
  return words[static_cast<std::size_t>(action)];
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
  d.kinds = {{"computes"}, {"sends"}, {"receives"},
             {"barrier"},  {"lock"},  {"waits for ever", Drawing::Tone::alarm}};
  d.across = "time", d.across_unit = unit_of<Seconds>();
  const auto top = [](std::size_t rank) { return pitch * static_cast<double>(rank); };
  Seconds end;
  for (const RankOutcome& rank : run.ranks) end = std::max(end, rank.time);
  // What waits for ever is drawn past the end, to be seen.
  d.width = end.value > 0 ? end.value : std::numeric_limits<double>::min();
  if (!run.waits.empty()) d.width = end.value > 0 ? 1.25 * end.value : 1;
  d.height = top(run.ranks.size() - 1) + row_height;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
    d.rows.push_back({top(rank) + row_height / 2, fmt::format("rank {}", rank)});
  for (const RunLog::Span& span : run.log.spans)
    d.cells.push_back({.left = span.from.value,
                       .top = top(span.rank),
                       .width = (span.to - span.from).value,
                       .height = row_height,
                       .text = word_of(span.action),
                       .title = fmt::format("rank {}, line {}: {}, {}", span.rank, span.line,
                                            word_of(span.action), in_words(span.to - span.from)),
                       .kind = kind_of(span.action)});
  for (const Wait& wait : run.waits) {
    const double from = run.ranks[wait.rank].time.value;
    d.cells.push_back({.left = from,
                       .top = top(wait.rank),
                       .width = d.width - from,
                       .height = row_height,
                       .text = fmt::format("{}, line {}", word_of(wait.action), wait.line),
                       .title = fmt::format("rank {}, line {}: waits for ever", wait.rank, wait.line),
                       .kind = stuck});
  }
  for (const RunLog::Delivery& m : run.log.deliveries) {
    const bool down = m.receiver > m.sender;
    d.arrows.push_back({.from_x = m.left.value,
                        .from_y = top(m.sender) + (down ? row_height : 0),
                        .to_x = m.there.value,
                        .to_y = top(m.receiver) + (down ? 0 : row_height),
                        .title = fmt::format("{} from rank {} to rank {}, {}", m.value, m.sender, m.receiver,
                                             in_words(m.there - m.left)),
                        .tone = Drawing::Tone::series});
  }
  d.title = fmt::format("Messages over time: {} ranks, {} sends", run.ranks.size(),
                        in.sends == Sends::buffered ? "buffered" : "synchronous");
  d.verdict = {
      run.waits.empty()
          ? fmt::format("{} messages; the last rank ends after {}.", run.log.deliveries.size(), in_words(end))
          : fmt::format("{} messages; {} of {} ranks wait for ever.", run.log.deliveries.size(),
                        run.waits.size(), run.ranks.size())};
  return d;
}

} // namespace perfmodel
