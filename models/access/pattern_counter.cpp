#include "pattern_counter.hpp"

#include "models/access/bit_count.hpp"
#include "models/bounds/memory_level.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace perfmodel {

namespace {

// "2 x 64 B, 1 x 32 B", the largest first.
std::string by_size(std::span<const Transaction> all) {
  std::map<std::int64_t, int, std::greater<>> counts;
  for (const Transaction& t : all) ++counts[t.bytes];
  std::string text;
  for (const auto& [bytes, n] : counts)
    text += fmt::format("{}{} x {} B", text.empty() ? "" : ", ", n, bytes);
  return text;
}

// Whether the words of the first `lanes` lanes are at equal steps.
std::optional<std::int64_t> step_of(const PatternCounter::Addresses& address, std::int64_t word,
                                    std::size_t lanes) {
  if (lanes < 2) return std::nullopt;
  const auto from = [&](std::size_t l) { // addresses may be as far apart as 64 bits allow
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(address[l]) -
                                     static_cast<std::uint64_t>(address[l - 1]));
  };
  for (std::size_t l = 1; l < lanes; ++l)
    if (from(l) != from(1)) return std::nullopt;
  return from(1) / word;
}

// Whether active lanes access the words that they would in a full warp of neighbouring words.
bool in_order(const PatternCounter::Addresses& address, std::uint32_t active, std::int64_t word) {
  const auto from = [&](std::uint32_t lane) { return address[lane] - word * lane; };
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
  for (std::uint32_t l = first; l < warp_lanes; ++l)
    if ((active >> l & 1) != 0 && from(l) != from(first)) return false;
  return true;
}

// The different lines of transactions that are sorted, request by request.
std::int64_t lines_of(std::span<const Transaction> all) {
  constexpr std::int64_t line = 128;
  std::int64_t n = 0, last = -1;
  for (const Transaction& t : all) {
    const std::int64_t at = t.address & ~(line - 1);
    n += static_cast<std::int64_t>(at != last);
    last = at;
  }
  return n;
}

} // namespace

PatternCounter::PatternCounter(const Gpu& gpu, const Coalescing::Input& in, std::int64_t word,
                               const DramPieces& pieces)
    : word_(word), loads_(in.access != GlobalAccess::store), stores_(in.access != GlobalAccess::load),
      texture_(passes_texture_units(gpu, in.path)), path_(in.path),
      load_(texture_ ? texture_rule() : coalescing_rule(gpu, GlobalAccess::load, in.cache)),
      store_(coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard)), source_(source(gpu, pieces)),
      target_(target(gpu, pieces)) {
  if (Plain plain; load_.l1 && !texture_ && has_shared_banks(gpu)) {
    banks_ = banks_of(gpu, std::nullopt, plain);
    counts_.wavefront_bytes = banks_.count * banks_.width;
  }
  const CoalescingRule& rule = loads_ ? load_ : store_;
  const bool strict = rule.kind == CoalescingRule::Kind::strict;
  counts_.alignment = strict ? rule.threads * word_ : rule.most;
  counts_.never_coalesced = strict && rule.threads * word_ < rule.least;
  counts_.cached = rule.cached;
  const std::int64_t request = rule.threads_of(word_) * word_,
                     least = rule.kind == CoalescingRule::Kind::distinct ? rule.most : rule.least;
  if (request < least) counts_.narrowest = request;
  CoalescingRule without_l1 = load_;
  without_l1.l1 = store_.l1;
  same_ = without_l1 == store_;
  row_lanes_ = static_cast<std::size_t>(std::min<std::int64_t>(in.block.x, warp_lanes));
}

void PatternCounter::warp(const WarpView& view, const Addresses& address) {
  if (view.block != block_) end_block();
  block_ = view.block;
  if (view.active == 0) return;
  const auto threads = static_cast<std::int64_t>(bit_count(view.active));
  if (!counts_.lane_step && view.active == ~std::uint32_t{0}) {
    counts_.lane_step = step_of(address, word_, warp_lanes);
    counts_.row_step = step_of(address, word_, row_lanes_);
    counts_.begins_aligned = address[0] % counts_.alignment == 0;
    if (row_lanes_ < warp_lanes) counts_.row_pitch = address[row_lanes_] - address[0];
  } else if (counts_.requests == 0) {
    counts_.in_order_but_idle = in_order(address, view.active, word_);
  }
  const SortedLanes sorted = ascending(address, view.active);
  const auto transactions_by = [&](const CoalescingRule& rule) {
    return rule.takes_whole_warps(word_) ? transactions_of_whole(rule, sorted, word_)
                                         : transactions(rule, address, view.active, word_);
  };
  if (loads_) {
    const Transactions t = transactions_by(load_);
    load(t, threads, view, address, sorted);
    if (stores_ && same_) store(t, threads, view, address, sorted);
  }
  if (stores_ && !(loads_ && same_)) store(transactions_by(store_), threads, view, address, sorted);
}

PatternCounts PatternCounter::take() {
  end_block();
  const WriteCounts written = std::visit([](auto& target) { return target.take(); }, target_);
  counts_.dram_read += source_.bytes_read() + written.bytes_filled;
  counts_.dram_filled = written.bytes_filled;
  counts_.dram_written += written.bytes_written;
  // Where plain loads meet no L2, what an opened row costs was never measured, of either path.
  counts_.rows_read = texture_ && !store_.cached ? 0 : source_.rows_read() + written.rows_read;
  counts_.rows_written = written.rows_written;
  counts_.split_lines = written.split_lines;
  counts_.shared_fills = written.shared_fills;
  const auto follow = [&](std::string_view what, const PageSample& sample) {
    if (sample.pieces_for_one() == 1) return;
    counts_.followed += fmt::format("{}one of {} pieces of {} B for {}", counts_.followed.empty() ? "" : ", ",
                                    sample.pieces_for_one(), sample.piece(), what);
  };
  follow("loads", source_.sample());
  follow("stores", std::visit([](const auto& target) { return target.sample(); }, target_));
  return counts_;
}

// Loads fetch atoms, stores fill sectors.
RecentReads PatternCounter::source(const Gpu& gpu, const DramPieces& pieces) const {
  const std::int64_t atom = std::max(load_.least, pieces.atom.value_or(0));
  return {checked(gpu, atom), cache(gpu), pieces.row_reach.value_or(1)};
}

PatternCounter::Target PatternCounter::target(const Gpu& gpu, const DramPieces& pieces) const {
  const auto of = [&]<class Words>() {
    return RecentWrites<Words>(word_, checked(gpu, load_.least), cache(gpu), pieces.row_reach.value_or(1));
  };
  if (word_ == 1) return of.template operator()<Words128>();
  return of.template operator()<std::uint64_t>();
}

std::int64_t PatternCounter::checked(const Gpu& gpu, std::int64_t atom) const {
  if (load_.cached && atom > 64)
    throw InputError(fmt::format("{}: dram.atom of {} B: 64 B at most", gpu.name, atom));
  return atom;
}

// Two arrays of a copy share L2.
std::int64_t PatternCounter::cache(const Gpu& gpu) const {
  if (!load_.cached) return 0;
  const auto l2 = static_cast<std::int64_t>(gpu.at(facts::l2_size).value.value);
  return loads_ && stores_ ? l2 / 2 : l2;
}

// Words of different lines meet in L1's banks, which are those of shared memory, or as many; those of one
// line do not.
void PatternCounter::hand_over(std::int64_t threads, const WarpView& view, const Addresses& address,
                               const SortedLanes& sorted) {
  if (texture_) {
    counts_.texture_wavefronts += texture_wavefronts(path_, address, view.active, word_);
    return;
  }
  constexpr std::int64_t register_bytes = 4, line = 128;
  const std::int64_t bytes = threads * std::max(word_, register_bytes);
  counts_.to_registers += bytes;
  if (counts_.wavefront_bytes == 0) return;
  const std::int64_t least = (bytes + counts_.wavefront_bytes - 1) / counts_.wavefront_bytes;
  const bool in_one_line = sorted.address[0] / line == sorted.address[sorted.count - 1] / line;
  counts_.least_wavefronts += least;
  counts_.wavefronts +=
      in_one_line
          ? least
          : std::max(least, bank_steps(banks_, address, view.active, word_, SharedAccess::load).wavefronts);
}

void PatternCounter::load(const Transactions& t, std::int64_t threads, const WarpView& view,
                          const Addresses& address, const SortedLanes& sorted) {
  add(t, threads);
  counts_.loaded += t.moved;
  if (load_.l1) lines_.add(t.all());
  hand_over(threads, view, address, sorted);
  if (!load_.cached) {
    counts_.dram_read += t.moved;
    return;
  }
  if (!texture_) counts_.lines += lines_of(t.all());
  source_.read(t.all());
}

void PatternCounter::store(const Transactions& t, std::int64_t threads, const WarpView& view,
                           const Addresses& address, const SortedLanes& sorted) {
  add(t, threads);
  counts_.between_l2_and_sms += t.moved;
  if (!store_.cached) {
    counts_.dram_written += t.moved;
    return;
  }
  std::visit([&](auto& target) { target.write(address, view.active, sorted); }, target_);
}

void PatternCounter::add(const Transactions& t, std::int64_t threads) {
  counts_.requests += t.requests;
  counts_.transactions += static_cast<std::int64_t>(t.count);
  counts_.requested += threads * word_;
  counts_.unique += t.unique;
  counts_.moved += t.moved;
  if (counts_.first_warp.empty()) counts_.first_warp = by_size(t.all());
}

void PatternCounter::end_block() {
  const std::int64_t different = load_.l1 ? lines_.take() * load_.most : counts_.loaded - loaded_before_;
  loaded_before_ = counts_.loaded;
  counts_.loaded_by_blocks += different;
  counts_.between_l2_and_sms += different;
}

} // namespace perfmodel
