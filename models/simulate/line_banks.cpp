#include "line_banks.hpp"

#include "access_pieces.hpp"

#include "models/kernel/stand_in.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace perfmodel {

namespace {

constexpr std::size_t looked_up_at_once = 4;

std::size_t bank_of(std::uint64_t number, const std::vector<std::uint64_t>& bits) {
  std::size_t bank = 0;
  for (std::size_t n = 0; n < bits.size(); ++n)
    bank |= static_cast<std::size_t>(std::popcount(number & bits[n]) & 1) << n;
  return bank;
}

std::vector<std::uint64_t> lines_of(const std::vector<std::uint64_t>& sectors) {
  std::vector<std::uint64_t> lines;
  for (const std::uint64_t sector : sectors)
    if (const std::uint64_t number = sector / (line_bytes / sector_bytes);
        lines.empty() || lines.back() != number)
      lines.push_back(number);
  return lines;
}

std::size_t fullest_bank(const std::vector<std::uint64_t>& lines, const std::vector<std::uint64_t>& bits) {
  std::array<std::size_t, 32> of{}; // a bank, whose number has up to five bits
  for (const std::uint64_t number : lines) ++of[bank_of(number, bits) % of.size()];
  return *std::max_element(of.begin(), of.end());
}

} // namespace

std::size_t line_turns(const std::vector<std::uint64_t>& sectors, const std::vector<std::uint64_t>& bits) {
  const std::size_t lines = larger_pieces(sectors, line_bytes / sector_bytes);
  if (bits.empty() || lines <= looked_up_at_once) return (lines + looked_up_at_once - 1) / looked_up_at_once;
  return fullest_bank(lines_of(sectors), bits);
}

std::uint8_t MeetingLines::beyond(std::size_t turns, const std::vector<std::uint64_t>& sectors) {
  if (bits_.empty() || sectors.size() < 2) return 0;
  std::vector<std::uint64_t> lines = lines_of(sectors);
  if (lines.size() < 2 || lines.size() > looked_up_at_once || turns >= lines.size()) return 0;
  // Rows are further apart than this, and of their place the two lowest bits that differ between them count.
  constexpr int near = 4, of_rows = 2;
  const std::uint64_t first = lines[0];
  const int apart = std::countr_zero(lines[1] - first);
  const bool are_rows = apart >= near;
  const std::uint64_t row = are_rows ? first >> apart & ((1U << of_rows) - 1) : 0;
  std::uint64_t key = mixed(turns ^ row << 8 ^ std::uint64_t{are_rows} << 16);
  for (std::uint64_t& number : lines) {
    number -= first;
    key = mixed(key ^ number);
  }
  constexpr std::size_t most_known = 4096;
  if (known_.size() > most_known) known_.clear();
  const auto [known, is_new] = known_.try_emplace(key, std::uint8_t{0});
  if (!is_new) return known->second;
  constexpr std::uint64_t places = 512;
  constexpr int bits_of_places = 24;
  std::uint64_t more = 0;
  std::vector<std::uint64_t> there = lines;
  for (std::uint64_t n = 0; n < places; ++n) {
    const std::uint64_t random = mixed(n) >> (64 - bits_of_places), above = random >> apart;
    const std::uint64_t begin =
        are_rows ? (above << of_rows | row) << apart | (random ^ above << apart) : random;
    for (std::size_t i = 0; i < lines.size(); ++i) there[i] = begin + lines[i];
    more += std::max(fullest_bank(there, bits_), turns) - turns;
  }
  constexpr std::uint64_t parts = 64;
  known->second =
      static_cast<std::uint8_t>(std::min<std::uint64_t>(255, (more * parts + places / 2) / places));
  return known->second;
}

} // namespace perfmodel
