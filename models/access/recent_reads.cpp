#include "recent_reads.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

constexpr std::int64_t least_reach = 128; // a line
constexpr int page_atoms = RecentAtoms::atoms_of_a_page, page_atoms_bits = 4;

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

constexpr std::uint32_t ones(std::int64_t n) { return ~std::uint32_t{0} >> (32 - n); }

} // namespace

RecentReads::RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach)
    : atom_(atom), atom_bits_(log2_of(atom)),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / atom / 2, 1))),
      row_atoms_(
          static_cast<int>(std::clamp<std::int64_t>(std::max(reach, least_reach) / atom, 1, page_atoms))),
      row_bits_(std::max(log2_of(std::max(reach, least_reach)) - atom_bits_ - page_atoms_bits, 0)),
      row_ones_(ones(row_atoms_)), row_starts_(ones(page_atoms) / row_ones_) {}

RecentReads::Atoms RecentReads::row_of(Atoms atom) const {
  return row_ones_ << (std::countr_zero(atom) & -row_atoms_);
}

RecentReads::Atoms RecentReads::rows_with_any(Atoms atoms) const {
  for (int n = 1; n < row_atoms_; n *= 2) atoms |= atoms >> n;
  return atoms & row_starts_;
}

void RecentReads::read(std::span<const Transaction> all) {
  const auto run_of = [&](const Transaction& t) {
    const std::uint64_t first = static_cast<std::uint64_t>(t.address) >> atom_bits_;
    const Atoms some = t.bytes <= atom_ ? 1 : ones(t.bytes >> atom_bits_);
    return Run{.page = first >> page_atoms_bits, .wanted = some << first % page_atoms};
  };
  for (std::size_t i = 0; i < all.size();) {
    Run run = run_of(all[i]); // of ascending transactions
    for (++i; i < all.size(); ++i) {
      const Run more = run_of(all[i]);
      if (more.page != run.page || more.wanted < run.wanted) break;
      run.wanted |= more.wanted;
    }
    if (waiting_.push(run)) count_all();
  }
}

void RecentReads::count_all() {
  for (const Run& run : waiting_.all())
    if (const void* const memory = touched_.where(run.page)) __builtin_prefetch(memory);
  for (const Run& run : waiting_.all()) touch(run);
  waiting_.clear();
}

void RecentReads::touch(const Run& run) {
  if (atoms_ + page_atoms > most_ || row_bits_ > 0) {
    // One by one: after a turn, what was touched before it is to be touched again.
    for (Atoms rest = run.wanted; rest != 0; rest &= rest - 1) touch_one(run, rest & -rest);
    return;
  }
  const RecentAtoms::Found found = touched_.find(run.page);
  const Atoms now = found.now, fresh = run.wanted & ~now, unread = fresh & ~found.before;
  if (fresh == 0) return;
  if ((fresh & (fresh - 1)) == 0) { // one, as strides and gathers have it
    rows_ += static_cast<std::int64_t>((row_of(fresh) & now) == 0);
    atoms_ += 1;
    reads_ += static_cast<std::int64_t>(unread != 0);
  } else {
    rows_ += bit_count(rows_with_any(now | fresh) ^ rows_with_any(now));
    atoms_ += static_cast<std::size_t>(bit_count(fresh));
    reads_ += bit_count(unread);
  }
  touched_.add(found, run.page, fresh);
}

void RecentReads::touch_one(const Run& run, Atoms atom) {
  RecentAtoms::Found found = touched_.find(run.page);
  if ((found.now & atom) != 0) return;
  if (atoms_ >= most_) {
    touched_.turn();
    rows_open_.turn();
    atoms_ = 0;
    found = touched_.find(run.page);
  }
  rows_ += static_cast<std::int64_t>(opens_a_row(run.page, atom, found.now));
  atoms_ += 1;
  reads_ += static_cast<std::int64_t>((found.before & atom) == 0);
  touched_.add(found, run.page, atom);
}

bool RecentReads::opens_a_row(std::uint64_t page, Atoms atom, Atoms now) {
  if (row_bits_ == 0) return (row_of(atom) & now) == 0;
  if (now != 0) return false;
  const std::uint64_t row = page >> row_bits_;
  const RecentAtoms::Found open = rows_open_.find(row);
  if (open.now != 0) return false;
  rows_open_.add(open, row, 1);
  return true;
}

} // namespace perfmodel
