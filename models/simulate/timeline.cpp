#include "timeline.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

double end_of_window(const WarpWatch& watch, std::size_t resident) {
  double first = 0, last = 0;
  for (std::size_t b = 0; b < watch.blocks.size(); ++b) {
    last = std::max(last, watch.blocks[b].end);
    if (b < resident) first = std::max(first, watch.blocks[b].end);
  }
  return watch.blocks.size() > resident ? std::min(2 * first, last) : last;
}

class Slices {
public:
  Slices(double cycles, std::size_t count) : width_(cycles / static_cast<double>(count)), count_(count) {}

  std::vector<TimeSlice> empty() const {
    std::vector<TimeSlice> made(count_);
    for (std::size_t i = 0; i < count_; ++i) made[i].from = edge(i), made[i].to = edge(i + 1);
    return made;
  }
  // Calls with each slice that has a part of the time, and its cycles there.
  template <class F> void each(double from, double to, F f) const {
    for (std::size_t i = at(from); i < count_ && edge(i) < to; ++i)
      if (const double part = std::min(to, edge(i + 1)) - std::max(from, edge(i)); part > 0) f(i, part);
  }
  std::size_t at(double time) const { return time <= 0 ? 0 : static_cast<std::size_t>(time / width_); }

private:
  double edge(std::size_t i) const { return width_ * static_cast<double>(i); }
  double width_;
  std::size_t count_;
};

} // namespace

std::optional<Stall> TimeSlice::mostly() const {
  const auto most = std::max_element(stalls.begin(), stalls.end());
  if (!(*most > 0)) return std::nullopt;
  return static_cast<Stall>(most - stalls.begin());
}

TimeSlice TimelineRow::all() const {
  TimeSlice sum{.from = slices.front().from, .to = slices.back().to};
  for (const TimeSlice& one : slices) {
    sum.warp_cycles += one.warp_cycles;
    sum.issued += one.issued;
    sum.issue_cycles += one.issue_cycles;
    for (std::size_t i = 0; i < stall_count; ++i) sum.stalls[i] += one.stalls[i];
  }
  return sum;
}

std::vector<TimelineRow> timeline(const WarpWatch& watch, std::size_t resident, std::size_t slices) {
  if (watch.blocks.empty() || slices == 0) return {};
  const double begin = watch.blocks.front().start, end = end_of_window(watch, resident);
  const Slices window(end - begin, slices);
  std::size_t blocks = 0, warps = 0; // blocks that start in time
  while (blocks < watch.blocks.size() && watch.blocks[blocks].start < end) ++blocks;
  for (const WarpSpan& span : watch.spans)
    if (span.block == 0) warps = std::max<std::size_t>(warps, span.warp + 1);

  std::vector<TimelineRow> rows{{.start = 0, .end = end - begin, .slices = window.empty()}};
  for (std::size_t b = 0; b < blocks; ++b) {
    const WatchedBlock& of = watch.blocks[b];
    rows.push_back({.block = b, .start = of.start - begin, .end = of.end - begin, .slices = window.empty()});
  }
  for (std::size_t w = 0; w < warps; ++w)
    rows.push_back(
        {.block = 0, .warp = w, .start = rows[1].start, .end = rows[1].end, .slices = window.empty()});
  // The SM's row, the block's, and that of the warp.
  const auto to_rows = [&](std::size_t block, std::size_t warp, auto add) {
    if (block >= blocks) return;
    add(rows.front());
    add(rows[1 + block]);
    if (block == 0 && warp < warps) add(rows[1 + blocks + warp]);
  };
  for (const WarpSpan& span : watch.spans)
    to_rows(span.block, span.warp, [&](TimelineRow& row) {
      window.each(span.from - begin, span.to - begin, [&](std::size_t i, double part) {
        row.slices[i].stalls[static_cast<std::size_t>(span.why)] += part;
        row.slices[i].warp_cycles += part;
      });
    });
  for (const WarpIssue& issue : watch.issues)
    to_rows(issue.block, issue.warp, [&](TimelineRow& row) {
      if (issue.time >= end) return;
      row.slices[std::min(window.at(issue.time - begin), slices - 1)].issued += 1;
      window.each(issue.time - begin, issue.time + issue.cycles - begin, [&](std::size_t i, double part) {
        row.slices[i].issue_cycles += part;
        row.slices[i].warp_cycles += part;
      });
    });
  return rows;
}

} // namespace perfmodel
