#include "recent_reads.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::int64_t least_reach = 128; // a line
constexpr std::int64_t atoms_of_a_page = 64;

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

std::uint64_t ones(std::int64_t n) { return ~std::uint64_t{0} >> (64 - n); }

} // namespace

RecentReads::RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach)
    : atom_(atom), page_bytes_(atoms_of_a_page * atom), reach_(std::max(reach, least_reach)),
      atom_bits_(log2_of(atom)),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / atom / 2, 1))),
      row_atoms_(static_cast<int>(std::clamp<std::int64_t>(reach_ / atom, 1, atoms_of_a_page))),
      row_starts_(~std::uint64_t{0} / ones(row_atoms_)), touched_(log2_of(page_bytes_)) {}

std::uint64_t RecentReads::atoms_of(const Transaction& t) const {
  const std::int64_t first = (t.address & (page_bytes_ - 1)) >> atom_bits_;
  return ones(std::max<std::int64_t>(t.bytes >> atom_bits_, 1)) << first;
}

std::uint64_t RecentReads::rows_with_any(std::uint64_t atoms) const {
  for (int n = 1; n < row_atoms_; n *= 2) atoms |= atoms >> n;
  return atoms & row_starts_;
}

void RecentReads::read(std::span<const Transaction> all) {
  for (const Transaction& t : all) touched_.prefetch(page_of(t.address));
  for (std::size_t i = 0; i < all.size();) {
    const std::int64_t start = page_of(all[i].address);
    std::uint64_t wanted = atoms_of(all[i++]); // of ascending transactions on one page
    for (; i < all.size() && page_of(all[i].address) == start; ++i) {
      const std::uint64_t more = atoms_of(all[i]);
      if (more < wanted) break;
      wanted |= more;
    }
    if (start != start_) look_up(start);
    if ((wanted & ~now_) != 0) touch(wanted);
  }
}

void RecentReads::look_up(std::int64_t start) {
  start_ = start;
  kept_ = touched_.find_now(start);
  now_ = kept_ == nullptr ? 0 : *kept_;
  const std::uint64_t* const older = touched_.find_before(start);
  before_ = older == nullptr ? 0 : *older;
}

void RecentReads::keep() {
  if (kept_ != nullptr)
    *kept_ = now_;
  else
    kept_ = touched_.insert(start_, now_);
}

void RecentReads::turn() {
  if (now_ != 0) keep();
  touched_.turn();
  kept_ = nullptr;
  atoms_ = 0;
  before_ = std::exchange(now_, 0);
}

// Whether the atom's row, beyond this page, was touched before.
bool RecentReads::row_is_open_elsewhere() {
  const std::int64_t row = start_ & ~(reach_ - 1);
  for (std::int64_t at = row; at < row + reach_; at += page_bytes_)
    if (at != start_ && touched_.find_now(at) != nullptr) return true;
  return false;
}

void RecentReads::touch_one(std::uint64_t atom) {
  if ((now_ & atom) != 0) return;
  if (atoms_ >= most_) turn();
  const bool opened = (rows_with_any(atom) & rows_with_any(now_)) == 0;
  if (opened && (reach_ <= page_bytes_ || !row_is_open_elsewhere())) ++rows_;
  now_ |= atom;
  ++atoms_;
  reads_ += static_cast<std::int64_t>((before_ & atom) == 0);
}

void RecentReads::touch(std::uint64_t wanted) {
  if (atoms_ + static_cast<std::size_t>(atoms_of_a_page) > most_ || reach_ > page_bytes_) {
    // One by one: after a turn, what was touched before it is to be touched again.
    for (; wanted != 0; wanted &= wanted - 1) touch_one(wanted & -wanted);
  } else {
    const std::uint64_t fresh = wanted & ~now_;
    rows_ += bit_count(rows_with_any(now_ | fresh) ^ rows_with_any(now_));
    atoms_ += static_cast<std::size_t>(bit_count(fresh));
    reads_ += bit_count(fresh & ~before_);
    now_ |= fresh;
  }
  keep();
}

} // namespace perfmodel
