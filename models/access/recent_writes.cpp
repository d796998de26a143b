#include "recent_writes.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

constexpr std::int64_t line = 128; // bytes

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

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
                                  std::int64_t reach)
    : sector_(sector), word_bits_(log2_of(word)), page_bits_(word_bits_ + log2_of(page_words)),
      row_bits_(std::max(log2_of(std::max(reach, line)) - page_bits_, 0)),
      share_(static_cast<double>(line) / static_cast<double>(std::max(reach, line))),
      sectors_(words_of(sector, word)), lines_(words_of(line, word)),
      rows_(std::min(words_of(std::max(reach, line), word), page_words)),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / sector / 2, 1))) {}

template <class Words>
template <class Use>
void RecentWrites<Words>::each_run(const SortedLanes& sorted, Use use) const {
  const auto page_of = [&](std::size_t i) {
    return static_cast<std::uint64_t>(sorted.address[i]) >> page_bits_;
  };
  for (std::size_t i = 0; i < sorted.count;) {
    Run run{.page = page_of(i), .words = 0};
    for (; i < sorted.count && page_of(i) == run.page; ++i)
      run.words |= Words{1} << static_cast<unsigned>(sorted.address[i] >> word_bits_) % page_words;
    use(run);
  }
}

template <class Words>
void RecentWrites<Words>::write(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
                                const SortedLanes& sorted) {
  if (fresh_ + (places + 1) * warp_lanes > most_) {
    serve_waiting();
    write_now(address, mask, sorted);
    return;
  }
  each_run(sorted, [&](const Run& run) {
    if (waiting_.push(run)) serve_waiting();
  });
}

template <class Words> void RecentWrites<Words>::serve_waiting() {
  for (const Run& run : waiting_.all())
    if (const void* const memory = pages_.where(run.page)) __builtin_prefetch(memory);
  for (const Run& run : waiting_.all()) touch(run);
  waiting_.clear();
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

template <class Words> void RecentWrites<Words>::touch(const Run& run) {
  Page* const known = pages_.find_now(run.page);
  Page& page = known == nullptr ? insert(run.page) : *known;
  const Words wanted = sectors_.any(run.words), fresh = wanted & ~sectors_.any(page.written);
  if (fresh != 0) {
    const std::int64_t sectors = count(fresh);
    fresh_ += static_cast<std::size_t>(sectors);
    writes_ += sectors;
    take_over(page, fresh);
  }
  // Of which some words were written, but not all.
  const Words in_part = sectors_.any(page.written) & sectors_.any(~page.written);
  if ((wanted & in_part) != 0) {
    const Words split = lines_.any(wanted & in_part) & ~page.split;
    splits_ += count(split);
    page.split |= split;
  }
  page.touched |= lines_.any(run.words);
  page.written |= run.words;
}

// Sectors that were written before are written once, for both generations.
template <class Words> void RecentWrites<Words>::take_over(Page& page, const Words& fresh) {
  Page* const older = pages_.find_before(page.page);
  if (older == nullptr) return;
  const Words words = older->written & sectors_.whole(fresh);
  page.written |= words;
  older->written &= ~words;
  writes_ -= count(sectors_.any(words));
}

template <class Words> typename RecentWrites<Words>::Page& RecentWrites<Words>::insert(std::uint64_t page) {
  if (row_bits_ > 0) {
    if (Row* const row = large_rows_.find_now(page >> row_bits_))
      row->of_several_pages = true;
    else
      large_rows_.insert({page >> row_bits_, false});
  }
  return pages_.insert({.page = page, .written = 0, .touched = 0, .split = 0});
}

// Lines beside which another one of their row was touched.
template <class Words> Words RecentWrites<Words>::with_neighbours(const Page& page) {
  if (row_bits_ > 0 && large_rows_.find_before(page.page >> row_bits_)->of_several_pages) return page.touched;
  return page.touched & rows_.whole(rows_.several(page.touched));
}

template <class Words> void RecentWrites<Words>::evict(const Page& page) {
  const Words some = sectors_.any(page.written), in_part = some & sectors_.any(~page.written);
  const Words written = lines_.any(some), // the others were taken over
      whole = written & ~lines_.any(sectors_.tops & ~some), filled = lines_.any(in_part);
  const Words beside = with_neighbours(page);
  fills_ += count(in_part);
  alone_written_ += count(written & ~(whole & beside));
  shared_written_ += count(whole & beside);
  alone_read_ += count(filled & ~beside);
  shared_read_ += count(filled & beside);
}

template <class Words> void RecentWrites<Words>::turn() {
  for (const Page& page : pages_.before()) evict(page);
  pages_.turn();
  large_rows_.turn();
  fresh_ = 0;
}

template <class Words> WriteCounts RecentWrites<Words>::take() {
  serve_waiting();
  turn();
  turn();
  const auto openings = [&](std::int64_t alone, std::int64_t shared) {
    return static_cast<double>(alone) + share_ * static_cast<double>(shared);
  };
  return {.bytes_filled = sector_ * fills_,
          .bytes_written = sector_ * writes_,
          .rows_read = openings(alone_read_, shared_read_),
          .rows_written = openings(alone_written_, shared_written_),
          .split_lines = splits_};
}

template class RecentWrites<std::uint64_t>;
template class RecentWrites<Words128>;

} // namespace perfmodel
