#include "coalescing_advice.hpp"

#include "models/access/mentions.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

namespace perfmodel {

namespace {

// A struct whose members neighbours read one at a time is rarely longer: farther apart, it is a matrix's
// rows.
constexpr std::int64_t longest_struct = 128; // bytes

bool is_two_dimensional(const Coalescing::Input& in) { return in.block.y > 1 || in.block.z > 1; }

std::string on_stride(std::int64_t step, std::int64_t word, const Coalescing::Input& in) {
  const std::int64_t apart = std::abs(step);
  if (is_two_dimensional(in))
    return fmt::format("Swap x and y, so that neighbours in x access neighbouring words (they are {} words "
                       "apart), or bring tiles to shared memory in rows.",
                       apart);
  if (apart * word > longest_struct)
    return fmt::format(
        "Let neighbouring threads access neighbouring words (they are {} words apart), or bring "
        "tiles to shared memory in rows.",
        apart);
  return fmt::format("Use an array per field instead of a struct of {} words, or bring whole lines to shared "
                     "memory first.",
                     apart);
}

std::string on_idle_lanes(const PatternCounts& counts, std::int64_t word) {
  const std::int64_t threads = counts.requested / word;
  return fmt::format(
      "Give idle lanes work, or let whole warps stay away: a request has {:.3g} active threads.",
      static_cast<double>(threads) / static_cast<double>(counts.requests));
}

std::string on_alignment(const PatternCounts& counts, std::int64_t word, const Coalescing::Input& in) {
  if (counts.narrowest > 0)
    return fmt::format(
        "Access wider words, such as char4 or float2: a request asks for {} B of a transaction{}.",
        counts.narrowest,
        counts.loaded > counts.loaded_by_blocks ? ", though L1 keeps the rest for the next warps" : "");
  if (!in.condition.empty() && counts.begins_aligned) return on_idle_lanes(counts, word);
  if (in.block.count() % 32 != 0)
    return "Make blocks a multiple of 32 threads, so that each warp starts where a transaction does.";
  return fmt::format("Align what a warp starts with to {} B: pad the row pitch to a multiple of {} words, or "
                     "shift the first thread.",
                     counts.alignment, counts.alignment / word);
}

// Of a two-dimensional block narrower than a warp, whose rows are in order.
std::string on_rows(const PatternCounts& counts) {
  std::string text = "Make blocks a multiple of 32 wide";
  if (counts.row_pitch.value_or(1) % counts.alignment != 0)
    text += fmt::format(", or pad the row pitch to a multiple of {} B", counts.alignment);
  return text + ", so that each of a warp's rows is aligned.";
}

bool reads_block(const Expression& e) {
  constexpr std::string_view names[] = {"bx", "by", "bz", "row", "col", "gid"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return mentions(e, name); });
}

// The index with places in the grid for those in the block: tid * 32 -> gid * 32.
std::string over_the_grid(const std::string& index) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"tid", "gid"}, {"x", "col"}, {"y", "row"}};
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string text;
  for (std::size_t i = 0; i < index.size();) {
    std::size_t end = i;
    while (end < index.size() && in_name(index[end])) ++end;
    if (end == i) {
      text += index[i++];
      continue;
    }
    std::string_view name = std::string_view(index).substr(i, end - i);
    for (const auto& [local, global] : names)
      if (name == local) {
        name = global;
        break;
      }
    text += name;
    i = end;
  }
  return text;
}

// Hardly anybody means what an index without the block's number says.
std::string on_same_words(const PatternCounts& counts, const Coalescing::Input& in) {
  if (in.index.empty() || counts.blocks < 2 || reads_block(in.index)) return "";
  const std::string written = in.index.text(), meant = over_the_grid(written);
  return fmt::format("Every block touches the same words, as the index does not depend on the block: if each "
                     "block has its own, write {}. ",
                     meant == written ? "it with gid, the thread's number in the grid"
                                      : fmt::format("--index '{}'", meant));
}

std::string on_pattern(const PatternCounts& counts, std::int64_t word, const Coalescing::Input& in) {
  const bool whole = counts.unique == counts.moved;
  if (counts.requested > counts.unique && counts.lane_step == 0)
    return "A warp reads one word: keep it in constant memory or a register, or let other threads help.";
  if (counts.never_coalesced)
    return "Access words of 4 B, such as char4 or short2: narrower ones are never coalesced here.";
  if (whole && counts.dram_filled == 0) return "Nothing to gain: every byte moved was asked for.";
  if (whole) return "Write whole sectors: let one block write what its neighbours now complete.";
  if (!counts.lane_step) {
    if (is_two_dimensional(in) && counts.row_step && std::abs(*counts.row_step) > 1)
      return on_stride(*counts.row_step, word, in);
    if (is_two_dimensional(in) && in.block.x % 32 != 0) return on_rows(counts);
    if (counts.in_order_but_idle) return on_idle_lanes(counts, word);
    return "Let neighbouring threads access neighbouring words in order: sort the indices, or go through "
           "shared memory.";
  }
  const std::int64_t step = *counts.lane_step;
  if (step == 1) return on_alignment(counts, word, in);
  if (step == -1) return "Let thread k access word k: reversed order costs here.";
  return on_stride(step, word, in);
}

} // namespace

std::string advice_on_path(double gain) {
  constexpr double enough = 1.05;
  if (gain > enough) return fmt::format("It pays: {} times as fast as plain loads.", in_words(gain));
  if (gain < 1 / enough)
    return fmt::format("It does not pay: plain loads are {} times as fast.", in_words(1 / gain));
  return "Nothing to gain: plain loads are as fast.";
}

std::string advice_on(const PatternCounts& counts, std::int64_t word, const Coalescing::Input& in) {
  return on_same_words(counts, in) + on_pattern(counts, word, in);
}

} // namespace perfmodel
