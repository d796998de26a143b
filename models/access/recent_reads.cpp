#include "recent_reads.hpp"

#include "bit_count.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::int64_t least_reach = 128; // a line
constexpr int page_atoms_bits = 4, page_atoms = 1 << page_atoms_bits;

constexpr std::uint32_t ones(std::int64_t n) { return ~std::uint32_t{0} >> (32 - n); }

} // namespace

RecentReads::RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach, std::size_t most_pages)
    : atom_(atom), atom_bits_(log2_of(atom)),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / atom / 2, 1))),
      row_atoms_(
          static_cast<int>(std::clamp<std::int64_t>(std::max(reach, least_reach) / atom, 1, page_atoms))),
      row_bits_(std::max(log2_of(std::max(reach, least_reach)) - atom_bits_ - page_atoms_bits, 0)),
      row_ones_(ones(row_atoms_)), row_starts_(ones(page_atoms) / row_ones_), sample_(reach, most_pages) {}

RecentReads::Atoms RecentReads::row_of(Atoms atom) const {
  return row_ones_ << (std::countr_zero(atom) & -row_atoms_);
}

RecentReads::Atoms RecentReads::rows_with_any(Atoms atoms) const {
  for (int n = 1; n < row_atoms_; n *= 2) atoms |= atoms >> n;
  return atoms & row_starts_;
}

std::uint64_t RecentReads::page_of(const Transaction& t) const {
  return static_cast<std::uint64_t>(t.address) >> (atom_bits_ + page_atoms_bits);
}

RecentReads::Atoms RecentReads::atoms_of(const Transaction& t) const {
  const Atoms some = t.bytes <= atom_ ? 1 : ones(t.bytes >> atom_bits_);
  return some << (t.address >> atom_bits_) % page_atoms;
}

void RecentReads::read(std::span<const Transaction> all) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t first = i++;
    if (!sample_.holds(static_cast<std::uint64_t>(all[first].address))) continue;
    const std::uint64_t page = page_of(all[first]);
    Atoms wanted = atoms_of(all[first]);
    for (; i < all.size() && page_of(all[i]) == page; ++i) { // of ascending transactions
      const Atoms more = atoms_of(all[i]);
      if (more < wanted) break;
      wanted |= more;
    }
    held += i - first;
    touch(page, wanted);
  }
  sample_.count(all.size(), held);
  if (sample_.is_full(pages_.now().size())) thin();
}

void RecentReads::touch(std::uint64_t page, Atoms wanted) {
  if (atoms_ + page_atoms > most_ || row_bits_ > 0) {
    // One by one: after a turn, what was touched before it is to be touched again.
    for (Atoms rest = wanted; rest != 0; rest &= rest - 1) touch_one(page, rest & -rest);
    return;
  }
  Page* const known = pages_.find_now(page);
  const Atoms now = known == nullptr ? 0 : known->touched, fresh = wanted & ~now;
  if (fresh == 0) return;
  const Page* const older = pages_.find_before(page);
  const Atoms unread = older == nullptr ? fresh : fresh & ~older->touched;
  rows_ += bit_count(rows_with_any(now | fresh) ^ rows_with_any(now));
  reads_ += bit_count(unread);
  atoms_ += static_cast<std::size_t>(bit_count(fresh));
  (known == nullptr ? pages_.insert({page, 0}) : *known).touched |= fresh;
}

void RecentReads::touch_one(std::uint64_t page, Atoms atom) {
  Page* known = pages_.find_now(page);
  if (known != nullptr && (known->touched & atom) != 0) return;
  if (atoms_ >= most_) {
    pages_.turn();
    rows_open_.turn();
    atoms_ = 0;
    known = nullptr;
  }
  const Page* const older = pages_.find_before(page);
  const bool unread = older == nullptr || (older->touched & atom) == 0;
  const bool opens = opens_a_row(page, atom, known == nullptr ? 0 : known->touched);
  reads_ += unread ? 1 : 0;
  rows_ += opens ? 1 : 0;
  atoms_ += 1;
  (known == nullptr ? pages_.insert({page, 0}) : *known).touched |= atom;
}

bool RecentReads::opens_a_row(std::uint64_t page, Atoms atom, Atoms now) {
  if (row_bits_ == 0) return (row_of(atom) & now) == 0;
  if (now != 0) return false;
  const std::uint64_t row = page >> row_bits_;
  if (rows_open_.find_now(row) != nullptr) return false;
  rows_open_.insert({row});
  return true;
}

void RecentReads::thin() {
  weighed_reads_ += sample_.weight() * std::exchange(reads_, 0);
  weighed_rows_ += sample_.weight() * std::exchange(rows_, 0);
  sample_.halve();
  most_ = std::max<std::size_t>(most_ / 2, 1);
  const int page_bits = atom_bits_ + page_atoms_bits;
  pages_.keep([&](const Page& page) { return sample_.holds(page.page << page_bits); });
  rows_open_.keep([&](const Row& row) { return sample_.holds(row.page << (page_bits + row_bits_)); });
  atoms_ = 0;
  for (const Page& page : pages_.now()) atoms_ += static_cast<std::size_t>(bit_count(page.touched));
}

} // namespace perfmodel
