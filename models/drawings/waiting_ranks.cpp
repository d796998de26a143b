#include "waiting_ranks.hpp"

#include "rank_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel {

namespace {

constexpr std::size_t most_arrows = 16, most_said = 4;
// Of the width past the end, in shares of the time before it: for words, and for arrows right of them.
constexpr double words_share = 0.7, arrows_share = 0.6;
// The same where nothing took any time: places, as of a drawing without a scale.
constexpr double words_width = 6, arrows_width = 6;

std::string ranks_in_words(const std::vector<std::size_t>& ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
}

// One arrow of each rank, along the circle where it is in one: all that many ranks wait for would hide it.
std::vector<Wait> drawn_waits(std::vector<Wait> waits) {
  std::size_t arrows = 0;
  for (const Wait& wait : waits) arrows += wait.for_ranks.size();
  if (arrows <= most_arrows) return waits;
  const std::vector<std::size_t> cycle = cycle_of(waits);
  for (Wait& wait : waits) {
    const auto at = std::find(cycle.begin(), cycle.end(), wait.rank);
    if (at != cycle.end())
      wait.for_ranks = {std::next(at) == cycle.end() ? cycle.front() : *std::next(at)};
    else if (!wait.for_ranks.empty())
      wait.for_ranks.resize(1);
  }
  return waits;
}

} // namespace

std::string waits_in_words(const std::vector<Wait>& waits) {
  std::vector<std::string> each;
  for (std::size_t i = 0; i < std::min(waits.size(), most_said); ++i)
    each.push_back(fmt::format("rank {} for {}", waits[i].rank, ranks_in_words(waits[i].for_ranks)));
  if (waits.size() > most_said) each.push_back(fmt::format("{} more", waits.size() - most_said));
  return fmt::format("{}", fmt::join(each, ", "));
}

void add_waits(Drawing& d, const RunOutcome& run, Seconds end, const RankRow& row) {
  const bool timed = end.value > 0;
  const double words_to = timed ? (1 + words_share) * end.value : words_width;
  const double arrows_to = words_to + (timed ? arrows_share * end.value : arrows_width);
  d.width = arrows_to;
  if (timed)
    d.scale_to = end.value;
  else
    d.across.clear();
  const std::size_t stuck = d.kinds.size();
  d.kinds.push_back({"waits for ever", Drawing::Tone::alarm});
  d.kinds.push_back({"has ended", Drawing::Tone::quiet});
  const auto add = [&](std::size_t rank, std::string text, std::string title, std::size_t kind) {
    const double from = run.ranks[rank].time.value;
    d.cells.push_back({.left = from,
                       .top = row.top(rank),
                       .width = words_to - from,
                       .height = row.height,
                       .text = std::move(text),
                       .title = std::move(title),
                       .kind = kind,
                       .open = true});
    d.arrows.push_back({.from_x = words_to,
                        .from_y = row.middle(rank),
                        .to_x = arrows_to,
                        .to_y = row.middle(rank),
                        .title = {},
                        .tone = d.kinds[kind].tone,
                        .line = true});
  };
  for (const Wait& wait : run.waits)
    add(wait.rank, fmt::format("{}, line {}", word_of(wait.action), wait.line),
        fmt::format("rank {}, line {}: {} waits for {}, for ever", wait.rank, wait.line, word_of(wait.action),
                    ranks_in_words(wait.for_ranks)),
        stuck);
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
    if (run.ranks[rank].ended) add(rank, "has ended", fmt::format("rank {} has ended", rank), stuck + 1);
  const std::vector<Wait> waits = drawn_waits(run.waits);
  std::size_t arrows = 1, next = 0;
  for (const Wait& wait : waits) arrows += wait.for_ranks.size();
  for (const Wait& wait : waits)
    for (const std::size_t other : wait.for_ranks) {
      const double x =
          words_to + (arrows_to - words_to) * static_cast<double>(++next) / static_cast<double>(arrows);
      d.arrows.push_back({.from_x = x,
                          .from_y = row.middle(wait.rank),
                          .to_x = x,
                          .to_y = row.middle(other),
                          .title = fmt::format("rank {} waits for rank {}", wait.rank, other),
                          .tone = Drawing::Tone::series});
    }
}

} // namespace perfmodel
