#include "recent_writes.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::int64_t line = 128; // bytes
constexpr std::int64_t words_of_a_page = 128;

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

std::uint64_t ones(unsigned n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

unsigned words_of(std::int64_t bytes, std::int64_t word) {
  return static_cast<unsigned>(std::max<std::int64_t>(bytes / word, 1));
}

constexpr std::uint32_t none = UINT32_MAX; // no page

std::uint32_t number(const std::uint32_t* found) { return found == nullptr ? none : *found; }

} // namespace

// What a request finds on the pages that it meets.
struct RecentWrites::Request {
  struct Visit {
    std::uint32_t page;
    std::uint32_t lines; // that it wrote to
    Words earlier;       // what was written of those lines before
  };
  std::array<Visit, warp_lanes> visits;
  std::uint32_t count = 0;

  Visit& visit(Page& page, std::uint32_t number) {
    // A page's `visit` may be of an earlier request: then the visit does not confirm it.
    if (page.visit < count && visits[page.visit].page == number) return visits[page.visit];
    page.visit = count;
    return visits[count++] = {.page = number, .lines = 0, .earlier = {0, 0}};
  }
};

// What lanes side by side write on one page; and the page in both generations.
struct RecentWrites::Run {
  std::int64_t start;
  Words words{};
  unsigned lines = 0;
  std::uint32_t now = none, before = none;
};

RecentWrites::RecentWrites(std::int64_t word, std::int64_t sector, std::int64_t capacity, std::int64_t reach)
    : sector_(sector), page_bytes_(words_of_a_page * word), reach_(std::max(reach, line)),
      word_bits_(log2_of(word)), sector_words_(words_of(sector, word)), line_words_(words_of(line, word)),
      row_lines_(words_of(std::min(reach_, page_bytes_), line)), sector_ones_(ones(sector_words_)),
      line_ones_(ones(line_words_)), sector_starts_(~std::uint64_t{0} / sector_ones_),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / sector / 2, 1))),
      numbers_(log2_of(page_bytes_)) {}

void RecentWrites::write(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask) {
  const auto at = [&](std::uint32_t lanes) {
    return address[static_cast<std::size_t>(std::countr_zero(lanes))];
  };
  for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) numbers_.prefetch(page_of(at(lanes)));
  Request request;
  while (mask != 0) { // lanes on one page after another
    Run run{.start = page_of(at(mask))};
    std::uint32_t rest = mask;
    for (; rest != 0 && page_of(at(rest)) == run.start; rest &= rest - 1) {
      const auto offset = static_cast<unsigned>(at(rest) - run.start), word = offset >> word_bits_;
      run.words[word / 64] |= std::uint64_t{1} << word % 64;
      run.lines |= 1u << offset / line;
    }
    run.now = number(numbers_.find_now(run.start));
    run.before = number(numbers_.find_before(run.start));
    if (!write_new_lines(request, run))
      for (; mask != rest; mask &= mask - 1)
        write_word(request, run, static_cast<unsigned>(at(mask) - run.start) >> word_bits_);
    mask = rest;
  }
}

// Lines of which nothing is known, all at once. False: there are others, or not as much room in this
// generation.
bool RecentWrites::write_new_lines(Request& request, Run& run) {
  if (run.before != none || sectors_ + warp_lanes > most_) return false;
  if (run.now == none)
    insert(run);
  else if ((now_[run.now].lines & run.lines) != 0)
    return false;
  Page& page = now_[run.now];
  request.visit(page, run.now).lines |= run.lines;
  page.lines |= static_cast<std::uint16_t>(run.lines);
  for (std::size_t h = 0; h < 2; ++h) {
    if (run.words[h] == 0) continue;
    page.written[h] |= run.words[h];
    const int sectors = bit_count(sectors_with_any(run.words[h]));
    sectors_ += static_cast<std::size_t>(sectors);
    writes_ += sectors;
  }
  return true;
}

void RecentWrites::insert(Run& run) {
  run.now = static_cast<std::uint32_t>(now_.size());
  numbers_.insert(run.start, run.now);
  now_.push_back({.start = run.start, .written = {0, 0}, .lines = 0, .split = 0, .visit = none});
}

// The page, with the word's sector among those of now.
RecentWrites::Page& RecentWrites::touch(Run& run, unsigned word) {
  const unsigned half = word / 64;
  const std::uint64_t sector = sector_ones_ << (word & ~(sector_words_ - 1)) % 64;
  if (run.now != none)
    if (Page& page = now_[run.now]; (page.written[half] & sector) != 0) return page;
  if (sectors_ >= most_) {
    turn();
    run.before = std::exchange(run.now, none);
  }
  if (run.now == none) insert(run);
  Page& page = now_[run.now];
  page.lines |= static_cast<std::uint16_t>(1u << word / line_words_);
  ++sectors_;
  ++writes_;
  if (run.before == none) return page;
  Page& older = before_[run.before];
  if (const std::uint64_t words = older.written[half] & sector; words != 0) { // taken over
    page.written[half] |= words;
    older.written[half] &= ~sector;
    --writes_;
  }
  return page;
}

void RecentWrites::write_word(Request& request, Run& run, unsigned word) {
  Page& page = touch(run, word);
  const unsigned half = word / 64, line_bit = 1u << word / line_words_;
  Request::Visit& visit = request.visit(page, run.now);
  if ((visit.lines & line_bit) == 0) {
    visit.lines |= line_bit;
    const std::uint64_t words = line_ones_ << (word & ~(line_words_ - 1)) % 64;
    visit.earlier[half] |= page.written[half] & words;
    if (line_words_ > 64) visit.earlier[1 - half] = page.written[1 - half];
  }
  const std::uint64_t sector = sector_ones_ << (word & ~(sector_words_ - 1)) % 64;
  const std::uint64_t earlier = visit.earlier[half] & sector;
  if (earlier != 0 && earlier != sector && (page.split & line_bit) == 0) {
    page.split |= static_cast<std::uint16_t>(line_bit);
    ++splits_;
  }
  page.written[half] |= std::uint64_t{1} << word % 64;
}

std::uint64_t RecentWrites::sectors_with_any(std::uint64_t words) const {
  for (unsigned n = 1; n < sector_words_; n *= 2) words |= words >> n;
  return words & sector_starts_;
}

bool RecentWrites::has_neighbour(const Page& page, unsigned n) {
  const std::uint64_t row = ones(row_lines_) << (n & ~(row_lines_ - 1));
  if ((page.lines & row & ~(std::uint64_t{1} << n)) != 0) return true;
  if (reach_ <= page_bytes_) return false;
  const std::int64_t first = page.start & ~(reach_ - 1);
  for (std::int64_t start = first; start < first + reach_; start += page_bytes_)
    if (start != page.start && numbers_.find_before(start) != nullptr) return true;
  return false;
}

void RecentWrites::evict(const Page& page) {
  Words some, all; // of a sector's words, at its first bit
  for (std::size_t h = 0; h < 2; ++h) {
    some[h] = sectors_with_any(page.written[h]);
    all[h] = sector_starts_ & ~sectors_with_any(~page.written[h]);
    if (some[h] != all[h]) fills_ += bit_count(some[h] ^ all[h]);
  }
  const double share = static_cast<double>(line) / static_cast<double>(reach_);
  for (unsigned lines = page.lines; lines != 0; lines &= lines - 1) {
    const auto n = static_cast<unsigned>(std::countr_zero(lines));
    bool any = false, whole = true, in_part = false; // sectors, not words
    for (unsigned word = n * line_words_; word < (n + 1) * line_words_; word += 64) {
      const std::uint64_t words = line_ones_ << word % 64, written = some[word / 64] & words;
      any = any || written != 0;
      whole = whole && written == (sector_starts_ & words);
      in_part = in_part || written != (all[word / 64] & words);
    }
    if (!any) continue; // taken over
    const double opening = has_neighbour(page, n) ? share : 1;
    rows_written_ += whole ? opening : 1;
    if (in_part) rows_read_ += opening;
  }
}

void RecentWrites::turn() {
  for (const Page& page : before_) evict(page);
  before_.clear();
  std::swap(now_, before_);
  numbers_.turn();
  sectors_ = 0;
}

void RecentWrites::forget_all() {
  turn();
  turn();
}

} // namespace perfmodel
