#include "transactions.hpp"

#include "models/access/sort_lanes.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

using Addresses = std::span<const std::int64_t, warp_lanes>;

// The aligned piece of `size` bytes, a power of two, that holds a byte.
std::int64_t piece(std::int64_t address, std::int64_t size) { return address & ~(size - 1); }

void add(Transactions& t, std::int64_t address, std::int64_t bytes) {
  t.list[t.count++] = {address, bytes};
  t.moved += bytes;
}

std::int64_t different(const SortedLanes& r) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < r.count; ++i)
    n += static_cast<std::int64_t>(i == 0 || r.address[i] != r.address[i - 1]);
  return n;
}

void add_strict(Transactions& t, const CoalescingRule& rule, Addresses address, std::uint32_t mask,
                std::size_t first, std::int64_t word) {
  const auto threads = static_cast<std::size_t>(rule.threads);
  const std::int64_t segment = rule.threads * word;
  std::int64_t start = 0;
  bool in_order = segment >= rule.least, any = false; // narrower words are never coalesced
  for (std::size_t k = 0; k < threads && in_order; ++k) {
    if ((mask >> (first + k) & 1) == 0) continue;
    const std::int64_t from = address[first + k] - static_cast<std::int64_t>(k) * word;
    in_order = from == piece(from, segment) && (!any || from == start);
    start = from;
    any = true;
  }
  if (in_order) {
    for (std::int64_t at = 0; at < segment; at += rule.most) add(t, start + at, std::min(segment, rule.most));
    return;
  }
  for (std::size_t k = 0; k < threads; ++k)
    if (mask >> (first + k) & 1) add(t, piece(address[first + k], rule.alone), rule.alone);
}

// The half of a transaction that holds all of [first, last], again while there is one.
void add_shrunk(Transactions& t, std::int64_t address, std::int64_t size, std::int64_t first,
                std::int64_t last, std::int64_t least) {
  while (size > least) {
    const std::int64_t half = size / 2;
    if (piece(first, half) != piece(last, half)) break;
    address = piece(first, half);
    size = half;
  }
  add(t, address, size);
}

void add_segments(Transactions& t, const CoalescingRule& rule, const SortedLanes& r, std::int64_t word) {
  const std::int64_t segment = std::min(rule.most, rule.least * word);
  for (std::size_t i = 0; i < r.count;) {
    const std::int64_t start = piece(r.address[i], segment);
    const std::size_t first = i;
    while (i < r.count && piece(r.address[i], segment) == start) ++i;
    add_shrunk(t, start, segment, r.address[first], r.address[i - 1] + word - 1, rule.least);
  }
}

void add_distinct(Transactions& t, const CoalescingRule& rule, const SortedLanes& r, std::int64_t word) {
  const std::size_t before = t.count;
  std::int64_t last = -1, last_start = -1, unique = 0;
  for (std::size_t i = 0; i < r.count; ++i) {
    const std::int64_t at = r.address[i], start = piece(at, rule.most);
    t.list[t.count] = {start, rule.most}; // overwritten by the next one unless it counts
    t.count += static_cast<std::size_t>(start != last_start);
    unique += static_cast<std::int64_t>(at != last);
    last = at;
    last_start = start;
  }
  t.moved += static_cast<std::int64_t>(t.count - before) * rule.most;
  t.unique += unique * word;
}

std::int64_t whole(const Gpu& gpu, std::string_view path, double value) {
  const auto n = static_cast<std::int64_t>(value);
  if (n < 1 || static_cast<double>(n) != value || !std::has_single_bit(static_cast<std::uint64_t>(n)))
    throw InputError(fmt::format("{}: {} is no power of two", gpu.name, path));
  return n;
}

} // namespace

CoalescingRule coalescing_rule(const Gpu& gpu, GlobalAccess access, LoadCache cache) {
  const std::string name = gpu.at(facts::coalescing_class).value;
  std::vector<std::int64_t> sizes;
  for (const Bytes b : gpu.at(facts::coalescing_transactions).value)
    sizes.push_back(whole(gpu, facts::coalescing_transactions.path, b.value));
  if (sizes.empty()) throw InputError(fmt::format("{}: coalescing.transactions is empty", gpu.name));
  std::sort(sizes.begin(), sizes.end());
  CoalescingRule rule{.least = sizes.front(), .most = sizes.back()};
  rule.threads =
      whole(gpu, facts::coalescing_request_threads.path, gpu.at(facts::coalescing_request_threads).value);
  if (rule.threads > static_cast<std::int64_t>(warp_lanes))
    throw InputError(fmt::format("{}: coalescing.request_threads is more than a warp", gpu.name));
  if (const auto request = gpu.find(facts::coalescing_request_bytes))
    rule.request = whole(gpu, facts::coalescing_request_bytes.path, request->value.value);
  if (name == "half_warp_strict" || name == "half_warp_segments") {
    rule.kind = name == "half_warp_strict" ? CoalescingRule::Kind::strict : CoalescingRule::Kind::segments;
    rule.cached = false;
    if (rule.kind == CoalescingRule::Kind::strict)
      rule.alone = whole(gpu, facts::coalescing_uncoalesced_transaction.path,
                         gpu.at(facts::coalescing_uncoalesced_transaction).value.value);
    return rule;
  }
  const bool lines = name == "l1_128B_line_or_l2_32B",
             optional_lines = name == "l2_32B_sectors_l1_local_only", sectors = name == "l2_32B_sectors",
             l1_sectors = name == "l1_128B_line_32B_sectors";
  if (!lines && !optional_lines && !sectors && !l1_sectors)
    throw InputError(fmt::format("{}: coalescing.class '{}' is no rule that is known", gpu.name, name));
  rule.l1 = access == GlobalAccess::load && cache != LoadCache::l2 &&
            (lines || l1_sectors || (cache == LoadCache::l1 && (sectors || sizes.size() > 1)));
  // Stores go to L2; L1 of Fermi and Kepler fetches whole lines, later ones the sectors of a line.
  if (!rule.l1) rule.most = rule.least;
  return rule;
}

SortedLanes ascending(Addresses address, std::uint32_t mask, std::size_t first, std::size_t threads) {
  SortedLanes r;
  std::int64_t last = INT64_MIN;
  bool in_order = true;
  const auto take = [&](std::size_t lane) {
    in_order = in_order && address[lane] >= last;
    last = address[lane];
    r.address[r.count++] = last;
  };
  const std::uint32_t all = ~std::uint32_t{0} >> (warp_lanes - threads);
  std::uint32_t active = mask >> first & all;
  if (active == all)
    for (std::size_t lane = first; lane < first + threads; ++lane) take(lane);
  else
    for (; active != 0; active &= active - 1)
      take(first + static_cast<std::size_t>(std::countr_zero(active)));
  if (!in_order) sort_lanes(r.address, r.count);
  return r;
}

Transactions transactions_of_whole(const CoalescingRule& rule, const SortedLanes& warp, std::int64_t word) {
  Transactions t;
  if (warp.count == 0) return t;
  t.requests = 1;
  add_distinct(t, rule, warp, word);
  return t;
}

Transactions transactions(const CoalescingRule& rule, Addresses address, std::uint32_t mask,
                          std::int64_t word) {
  if (rule.takes_whole_warps(word)) return transactions_of_whole(rule, ascending(address, mask), word);
  Transactions t;
  const auto threads = static_cast<std::size_t>(rule.threads_of(word));
  for (std::size_t first = 0; first < warp_lanes; first += threads) {
    const SortedLanes r = ascending(address, mask, first, threads);
    if (r.count == 0) continue;
    ++t.requests;
    switch (rule.kind) {
    case CoalescingRule::Kind::strict:
      t.unique += different(r) * word;
      add_strict(t, rule, address, mask, first, word);
      break;
    case CoalescingRule::Kind::segments:
      t.unique += different(r) * word;
      add_segments(t, rule, r, word);
      break;
    case CoalescingRule::Kind::distinct:
      add_distinct(t, rule, r, word);
      break;
    }
  }
  return t;
}

} // namespace perfmodel
