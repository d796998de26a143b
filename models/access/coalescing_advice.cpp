#include "coalescing_advice.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace perfmodel {

namespace {

// A struct whose members neighbours read one at a time is rarely longer: farther apart, it is a matrix's
// rows.
constexpr std::int64_t longest_struct = 128; // bytes

bool is_two_dimensional(const Coalescing::Input& in) { return in.block.y > 1 || in.block.z > 1; }

std::string on_stride(std::int64_t step, std::int64_t word, const Coalescing::Input& in) {
  const std::int64_t apart = std::abs(step);
  if (is_two_dimensional(in) || apart * word > longest_struct)
    return fmt::format("Swap x and y, so that neighbours in x access neighbouring words (they are {} words "
                       "apart), or bring tiles to shared memory in rows.",
                       apart);
  return fmt::format("Use an array per field instead of a struct of {} words, or bring whole lines to shared "
                     "memory first.",
                     apart);
}

} // namespace

std::string advice_on(const PatternCounts& counts, std::int64_t word, const Coalescing::Input& in) {
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
    if (is_two_dimensional(in) && in.block.x % 32 != 0)
      return fmt::format("Make blocks a multiple of 32 wide, or pad the row pitch to a multiple of {} B, so "
                         "that each of a warp's rows is aligned.",
                         counts.alignment);
    return "Let neighbouring threads access neighbouring words in order: sort the indices, or go through "
           "shared memory.";
  }
  const std::int64_t step = *counts.lane_step;
  if (step == 1)
    return fmt::format(
        "Align what a warp starts with to {} B: pad the row pitch to a multiple of {} words, or "
        "shift the first thread.",
        counts.alignment, counts.alignment / word);
  if (step == -1) return "Let thread k access word k: reversed order costs here.";
  return on_stride(step, word, in);
}

} // namespace perfmodel
