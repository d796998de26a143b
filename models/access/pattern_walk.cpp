#include "pattern_walk.hpp"

#include "models/access/bit_count.hpp"
#include "models/access/block_lines.hpp"
#include "models/access/mentions.hpp"
#include "models/access/recent_reads.hpp"
#include "models/access/recent_writes.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <variant>

namespace perfmodel {

namespace {

std::int64_t word_of(const Coalescing::Input& in) {
  for (const std::int64_t word : {1, 2, 4, 8, 16})
    if (in.word.value == static_cast<double>(word)) return word;
  throw InputError("--word: 1, 2, 4, 8 or 16 bytes are expected: what one instruction accesses");
}

// A pattern of equal steps repeats itself: a few warps stand for all.
constexpr std::int64_t threads_of_a_step_pattern = 1 << 15;

// What such an expression means depends on a grid's shape, which nothing else says.
void ask_for_grid(const Coalescing::Input& in) {
  const bool flat = in.block.y == 1 && in.block.z == 1;
  for (const auto& [expression, option] : {std::pair(&in.index, "--index"), std::pair(&in.condition, "--if")})
    for (const std::string_view name : {"row", "by", "bz", "gy", "gz", "col", "y", "z", "dy", "dz"}) {
      const bool of_blocks = name.front() == 'b' || name.front() == 'g' || name == "row";
      if ((flat && !of_blocks) || !mentions(*expression, name)) continue;
      throw InputError(fmt::format(
          "{} reads '{}' in blocks of {}: say what grid they make, such as --grid {}", option, name,
          in.block.text(),
          Shape{std::max<std::int64_t>(4096 / in.block.x, 1), std::max<std::int64_t>(4096 / in.block.y, 1), 1}
              .text()));
    }
}

Shape grid_of(const Gpu& gpu, const Coalescing::Input& in) {
  if (in.grid) return *in.grid;
  ask_for_grid(in);
  if (in.index.empty() && in.condition.empty())
    return {std::max<std::int64_t>(threads_of_a_step_pattern / in.block.count(), 1), 1, 1};
  const Occupancy resident = occupancy(gpu, {.threads_per_block = static_cast<double>(in.block.count())});
  return {static_cast<std::int64_t>(gpu.at(facts::sm_count).value * resident.blocks), 1, 1};
}

// "2 x 64 B, 1 x 32 B", the largest first.
std::string by_size(std::span<const Transaction> all) {
  std::map<std::int64_t, int, std::greater<>> counts;
  for (const Transaction& t : all) ++counts[t.bytes];
  std::string text;
  for (const auto& [bytes, n] : counts)
    text += fmt::format("{}{} x {} B", text.empty() ? "" : ", ", n, bytes);
  return text;
}

using Addresses = std::array<std::int64_t, warp_lanes>;

// Whether the words of the first `lanes` lanes are at equal steps.
std::optional<std::int64_t> step_of(const Addresses& address, std::int64_t word, std::size_t lanes) {
  if (lanes < 2) return std::nullopt;
  const auto from = [&](std::size_t l) { // addresses may be as far apart as 64 bits allow
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(address[l]) -
                                     static_cast<std::uint64_t>(address[l - 1]));
  };
  for (std::size_t l = 1; l < lanes; ++l)
    if (from(l) != from(1)) return std::nullopt;
  return from(1) / word;
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

class Counter {
public:
  Counter(const Gpu& gpu, const Coalescing::Input& in)
      : word_(word_of(in)), loads_(in.access != GlobalAccess::store),
        stores_(in.access != GlobalAccess::load), load_(coalescing_rule(gpu, GlobalAccess::load, in.cache)),
        store_(coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard)), source_(source(gpu)),
        target_(target(gpu)) {
    const CoalescingRule& rule = loads_ ? load_ : store_;
    const bool strict = rule.kind == CoalescingRule::Kind::strict;
    counts_.alignment = strict ? rule.threads * word_ : rule.most;
    counts_.never_coalesced = strict && rule.threads * word_ < rule.least;
    counts_.cached = rule.cached;
    CoalescingRule without_l1 = load_;
    without_l1.l1 = store_.l1;
    same_ = without_l1 == store_;
    row_lanes_ = static_cast<std::size_t>(std::min<std::int64_t>(in.block.x, warp_lanes));
  }

  void warp(const WarpView& view, const Addresses& address) {
    if (view.block != block_) end_block();
    block_ = view.block;
    if (view.active == 0) return;
    const auto threads = static_cast<std::int64_t>(bit_count(view.active));
    if (!counts_.lane_step && view.active == ~std::uint32_t{0}) {
      counts_.lane_step = step_of(address, word_, warp_lanes);
      counts_.row_step = step_of(address, word_, row_lanes_);
    }
    const SortedLanes sorted = ascending(address, view.active);
    const auto transactions_by = [&](const CoalescingRule& rule) {
      return rule.takes_whole_warps(word_) ? transactions_of_whole(rule, sorted, word_)
                                           : transactions(rule, address, view.active, word_);
    };
    if (loads_) {
      const Transactions t = transactions_by(load_);
      load(t, threads);
      if (stores_ && same_) store(t, threads, view, address, sorted);
    }
    if (stores_ && !(loads_ && same_)) store(transactions_by(store_), threads, view, address, sorted);
  }

  PatternCounts take() {
    end_block();
    const WriteCounts written = std::visit([](auto& target) { return target.take(); }, target_);
    counts_.dram_read += source_.bytes_read() + written.bytes_filled;
    counts_.dram_filled = written.bytes_filled;
    counts_.dram_written += written.bytes_written;
    counts_.rows_read = source_.rows_read() + written.rows_read;
    counts_.rows_written = written.rows_written;
    counts_.split_lines = written.split_lines;
    counts_.shared_fills = written.shared_fills;
    const auto follow = [&](std::string_view what, const PageSample& sample) {
      if (sample.pieces_for_one() == 1) return;
      counts_.followed +=
          fmt::format("{}one of {} pieces of {} B for {}", counts_.followed.empty() ? "" : ", ",
                      sample.pieces_for_one(), sample.piece(), what);
    };
    follow("loads", source_.sample());
    follow("stores", std::visit([](const auto& target) { return target.sample(); }, target_));
    return counts_;
  }

private:
  using Target = std::variant<RecentWrites<std::uint64_t>, RecentWrites<Words128>>;

  // Loads fetch atoms, stores fill sectors.
  RecentReads source(const Gpu& gpu) const {
    std::int64_t atom = load_.least;
    if (const auto fact = gpu.find(facts::dram_atom)) // counted, so 64.02 B is 64 B
      atom = std::max(atom, std::int64_t{1} << std::lround(std::log2(fact->value.value)));
    return {checked(gpu, atom), cache(gpu), reach(gpu)};
  }
  Target target(const Gpu& gpu) const {
    const auto of = [&]<class Words>() {
      return RecentWrites<Words>(word_, checked(gpu, load_.least), cache(gpu), reach(gpu));
    };
    if (word_ == 1) return of.template operator()<Words128>();
    return of.template operator()<std::uint64_t>();
  }
  std::int64_t checked(const Gpu& gpu, std::int64_t atom) const {
    if (load_.cached && atom > 64)
      throw InputError(fmt::format("{}: dram.atom of {} B: 64 B at most", gpu.name, atom));
    return atom;
  }
  // Two arrays of a copy share L2.
  std::int64_t cache(const Gpu& gpu) const {
    if (!load_.cached) return 0;
    const auto l2 = static_cast<std::int64_t>(gpu.at(facts::l2_size).value.value);
    return loads_ && stores_ ? l2 / 2 : l2;
  }
  std::int64_t reach(const Gpu& gpu) const {
    const auto fact = gpu.find(facts::dram_row_reach);
    return fact ? std::int64_t{1} << std::lround(std::log2(fact->value.value)) : 1;
  }
  void load(const Transactions& t, std::int64_t threads) {
    add(t, threads);
    counts_.loaded += t.moved;
    if (load_.l1) lines_.add(t.all());
    if (!load_.cached) {
      counts_.dram_read += t.moved;
      return;
    }
    constexpr std::int64_t register_bytes = 4;
    counts_.to_registers += threads * std::max(word_, register_bytes);
    counts_.lines += lines_of(t.all());
    source_.read(t.all());
  }
  void store(const Transactions& t, std::int64_t threads, const WarpView& view, const Addresses& address,
             const SortedLanes& sorted) {
    add(t, threads);
    counts_.between_l2_and_sms += t.moved;
    if (!store_.cached) {
      counts_.dram_written += t.moved;
      return;
    }
    std::visit([&](auto& target) { target.write(address, view.active, sorted); }, target_);
  }
  void add(const Transactions& t, std::int64_t threads) {
    counts_.requests += t.requests;
    counts_.transactions += static_cast<std::int64_t>(t.count);
    counts_.requested += threads * word_;
    counts_.unique += t.unique;
    counts_.moved += t.moved;
    if (counts_.first_warp.empty()) counts_.first_warp = by_size(t.all());
  }
  void end_block() {
    const std::int64_t different = load_.l1 ? lines_.take() * load_.most : counts_.loaded - loaded_before_;
    loaded_before_ = counts_.loaded;
    counts_.loaded_by_blocks += different;
    counts_.between_l2_and_sms += different;
  }

  std::int64_t word_;
  bool loads_, stores_, same_; // transactions of both
  std::size_t row_lanes_ = warp_lanes;
  CoalescingRule load_, store_;
  RecentReads source_;
  Target target_;
  BlockLines lines_;
  PatternCounts counts_;
  std::int64_t block_ = 0, loaded_before_ = 0;
};

constexpr int address_bits = 47; // on every GPU so far

// Of a warp with a lane whose word is no number of `bits` bits.
[[noreturn]] void no_such_word(const WarpView& view, std::size_t index, int bits,
                               const Coalescing::Input& in) {
  const auto words = view.values(index);
  std::size_t lane = 0;
  while ((view.active >> lane & 1) == 0 || static_cast<std::uint64_t>(words[lane]) >> bits == 0) ++lane;
  const std::int64_t word = words[lane];
  throw InputError(fmt::format(
      "{}: thread {} of block {} (of {} threads, counted from 0) would access word {}, but an array has {}",
      in.index.empty() ? "--stride and --offset" : "--index",
      view.warp * static_cast<std::int64_t>(warp_lanes) + static_cast<std::int64_t>(lane), view.block,
      in.block.text(), word, word < 0 ? "none before word 0" : "less than 2^47 bytes"));
}

} // namespace

Expression index_of(const Coalescing::Input& in) {
  if (!in.index.empty()) {
    if (in.stride != 1 || in.offset != 0 || in.permutation != Permutation::identity)
      throw InputError("--index says which word a thread accesses: --stride, --offset and --permutation "
                       "have no part in it");
    return in.index;
  }
  for (const auto& [name, value] : {std::pair("stride", in.stride), std::pair("offset", in.offset)})
    if (value != std::floor(value)) throw InputError(fmt::format("--{}: a whole number is expected", name));
  const std::string_view lanes[] = {"gid", "(gid - lane + 31 - lane)", "(gid - lane + (5*lane + 3) % 32)"};
  std::string text(lanes[static_cast<std::size_t>(in.permutation)]);
  if (in.stride != 1) text = fmt::format("{:.0f}*{}", in.stride, text);
  if (in.offset != 0) text += fmt::format(" + {:.0f}", in.offset);
  return Expression::from_text(text);
}

PatternCounts count_pattern(const Gpu& gpu, const Coalescing::Input& in) {
  check_block(gpu, in.block);
  if (in.grid) check_grid(gpu, *in.grid);
  Counter counter(gpu, in);
  const Shape grid = grid_of(gpu, in);
  LaunchWalk walk(in.block, grid, in.let);
  walk.guard_by(in.condition, "--if");
  const std::size_t index = walk.add(index_of(in), "--index");
  const int shift = std::countr_zero(static_cast<std::uint64_t>(word_of(in)));
  Addresses address{};
  walk.each_warp([&](const WarpView& view) {
    const auto words = view.values(index);
    std::uint64_t too_far = 0; // what is left of numbers that are negative or too large
    const auto place = [&](std::size_t l) {
      const auto word = static_cast<std::uint64_t>(words[l]);
      too_far |= word >> (address_bits - shift);
      address[l] = static_cast<std::int64_t>(word << shift);
    };
    if (view.active == ~std::uint32_t{0})
      for (std::size_t l = 0; l < warp_lanes; ++l) place(l);
    else
      for (std::uint32_t rest = view.active; rest != 0; rest &= rest - 1)
        place(static_cast<std::size_t>(std::countr_zero(rest)));
    if (too_far != 0) no_such_word(view, index, address_bits - shift, in);
    counter.warp(view, address);
  });
  PatternCounts counts = counter.take();
  counts.grid = grid.text();
  if (counts.requests == 0) throw InputError("--if: no thread of the launch accesses anything");
  return counts;
}

} // namespace perfmodel
