#include "recent_writes.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::int64_t line = 128; // bytes

unsigned words_of(std::int64_t bytes, std::int64_t word) {
  return static_cast<unsigned>(std::max<std::int64_t>(bytes / word, 1));
}

template <class Words> std::int64_t count(Words bits) {
  if ((bits & (bits - 1)) == 0) return bits != 0; // none or one, most often
  if constexpr (sizeof(Words) > 8)
    return bit_count(static_cast<std::uint64_t>(bits)) + bit_count(static_cast<std::uint64_t>(bits >> 64));
  else
    return bit_count(bits);
}

} // namespace

template <class Words>
RecentWrites<Words>::RecentWrites(std::int64_t word, std::int64_t sector, std::int64_t capacity,
                                  std::int64_t reach, std::size_t most_pages)
    : sector_(sector), word_bits_(log2_of(word)), page_bits_(word_bits_ + log2_of(page_words)),
      row_bits_(std::max(log2_of(std::max(reach, line)) - page_bits_, 0)),
      share_(static_cast<double>(line) / static_cast<double>(std::max(reach, line))),
      sectors_(words_of(sector, word)), lines_(words_of(line, word)),
      rows_(std::min(words_of(std::max(reach, line), word), page_words)),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / sector / 2, 1))),
      sample_(reach, most_pages) {}

// Of the pages that are followed.
template <class Words>
template <class Use>
void RecentWrites<Words>::each_run(const SortedLanes& sorted, Use use) const {
  const auto page_of = [&](std::size_t i) {
    return static_cast<std::uint64_t>(sorted.address[i]) >> page_bits_;
  };
  for (std::size_t i = 0; i < sorted.count;) {
    if (!sample_.holds(static_cast<std::uint64_t>(sorted.address[i]))) {
      ++i;
      continue;
    }
    Run run{.page = page_of(i), .words = 0, .lanes = 0};
    for (; i < sorted.count && page_of(i) == run.page; ++i, ++run.lanes)
      run.words |= Words{1} << static_cast<unsigned>(sorted.address[i] >> word_bits_) % page_words;
    use(run);
  }
}

template <class Words>
void RecentWrites<Words>::write(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
                                const SortedLanes& sorted) {
  sample_.count(sorted.count, 0);
  if (fresh_ + warp_lanes > most_)
    write_now(address, mask, sorted);
  else
    each_run(sorted, [&](const Run& run) { touch(run); });
  if (sample_.is_full(pages_.now().size())) thin();
}

// Where the generation may end: it does before the first lane for whose sector there is no room.
template <class Words>
void RecentWrites<Words>::write_now(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
                                    const SortedLanes& sorted) {
  const auto fits = [&](const SortedLanes& lanes) { return fresh_ + fresh_sectors(lanes) <= most_; };
  const auto serve = [&](const Run& run) { touch(run); };
  if (fits(sorted)) {
    each_run(sorted, serve);
    return;
  }
  std::uint32_t first = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    if (!fits(ascending(address, first | (rest & -rest)))) break;
    first |= rest & -rest;
  }
  each_run(ascending(address, first), serve);
  turn();
  write_now(address, mask & ~first, ascending(address, mask & ~first));
}

template <class Words> std::size_t RecentWrites<Words>::fresh_sectors(const SortedLanes& sorted) {
  std::int64_t fresh = 0;
  each_run(sorted, [&](const Run& run) {
    const Page* const page = pages_.find_now(run.page);
    fresh += count(sectors_.any(run.words) & ~(page == nullptr ? Words{0} : sectors_.any(page->written)));
  });
  return static_cast<std::size_t>(fresh);
}

template <class Words> Words RecentWrites<Words>::in_part(const Words& written) const {
  return sectors_.any(written) & sectors_.any(~written);
}

template <class Words> void RecentWrites<Words>::touch(const Run& run) {
  sample_.count(0, run.lanes);
  Page* const known = pages_.find_now(run.page);
  Page& page = known == nullptr ? insert(run.page) : *known;
  const Words wanted = sectors_.any(run.words), fresh = wanted & ~sectors_.any(page.written);
  events_[fills] -= static_cast<double>(count(in_part(page.written)));
  if (fresh != 0) {
    const std::int64_t sectors = count(fresh);
    fresh_ += static_cast<std::size_t>(sectors);
    events_[writes] += static_cast<double>(sectors);
    take_over(page, fresh);
  }
  if (const Words parts = wanted & in_part(page.written); parts != 0) {
    const Words split = lines_.any(parts) & ~page.split;
    events_[splits] += static_cast<double>(count(split));
    page.split |= split;
  }
  const Words lines = lines_.any(run.words);
  page.twice |= page.touched & lines;
  page.touched |= lines;
  page.written |= run.words;
  events_[fills] += static_cast<double>(count(in_part(page.written)));
}

// Sectors that were written before are written once, for both generations.
template <class Words> void RecentWrites<Words>::take_over(Page& page, const Words& fresh) {
  Page* const older = pages_.find_before(page.page);
  if (older == nullptr) return;
  const Words words = older->written & sectors_.whole(fresh);
  page.written |= words;
  older->written &= ~words;
  events_[writes] -= static_cast<double>(count(sectors_.any(words)));
  events_[fills] -= static_cast<double>(count(in_part(words)));
}

template <class Words> typename RecentWrites<Words>::Page& RecentWrites<Words>::insert(std::uint64_t page) {
  if (row_bits_ > 0) {
    if (Row* const row = large_rows_.find_now(page >> row_bits_))
      row->of_several_pages = true;
    else
      large_rows_.insert({page >> row_bits_, false});
  }
  return pages_.insert({.page = page, .written = 0, .touched = 0, .twice = 0, .split = 0});
}

// Lines beside which another one of their row was touched.
template <class Words> Words RecentWrites<Words>::with_neighbours(const Page& page) {
  if (row_bits_ > 0 && large_rows_.find_before(page.page >> row_bits_)->of_several_pages) return page.touched;
  return page.touched & rows_.whole(rows_.several(page.touched));
}

template <class Words> void RecentWrites<Words>::evict(const Page& page) {
  const Words some = sectors_.any(page.written);
  const Words written = lines_.any(some), // the others were taken over
      whole = written & ~lines_.any(sectors_.tops & ~some), filled = lines_.any(in_part(page.written));
  const Words beside = with_neighbours(page);
  const auto add = [&](Event event, const Words& lines) {
    events_[event] += static_cast<double>(count(lines));
  };
  add(alone_written, written & ~(whole & beside));
  add(shared_written, whole & beside);
  add(shared_fills, filled & page.twice);
  add(alone_read, filled & ~beside);
  add(shared_read, filled & beside);
}

template <class Words> void RecentWrites<Words>::turn() {
  for (const Page& page : pages_.before()) evict(page);
  pages_.turn();
  large_rows_.turn();
  fresh_ = 0;
}

template <class Words> void RecentWrites<Words>::weigh() {
  for (std::size_t e = 0; e < events_.size(); ++e)
    weighed_[e] += sample_.weight() * std::exchange(events_[e], 0);
}

template <class Words> void RecentWrites<Words>::thin() {
  weigh();
  sample_.halve();
  most_ = std::max<std::size_t>(most_ / 2, 1);
  pages_.keep([&](const Page& page) { return sample_.holds(page.page << page_bits_); });
  large_rows_.keep([&](const Row& row) { return sample_.holds(row.page << (page_bits_ + row_bits_)); });
  std::int64_t fresh = 0;
  for (const Page& page : pages_.now()) fresh += count(sectors_.any(page.written));
  fresh_ = static_cast<std::size_t>(fresh);
}

template <class Words> WriteCounts RecentWrites<Words>::take() {
  turn();
  turn();
  weigh();
  const auto openings = [&](Event alone, Event shared) {
    return weighed_[alone] + share_ * weighed_[shared];
  };
  // A sample cannot tell a few from none: the sectors begun when it was thinned may have been completed.
  constexpr double told = 0.001;
  if (sample_.pieces_for_one() > 1 && weighed_[fills] < told * weighed_[writes]) weighed_[fills] = 0;
  return {.bytes_filled = sector_ * std::llround(weighed_[fills]),
          .bytes_written = sector_ * std::llround(weighed_[writes]),
          .rows_read = openings(alone_read, shared_read),
          .rows_written = openings(alone_written, shared_written),
          .split_lines = std::llround(weighed_[splits]),
          .shared_fills = std::llround(weighed_[shared_fills])};
}

template class RecentWrites<std::uint64_t>;
template class RecentWrites<Words128>;

} // namespace perfmodel
