#include "recent_atoms.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::size_t first_size = 1024;

// Where a page is looked for: `at`, then every `step` farther. Pages of one neighbourhood stay together, as a
// stream touches them; pages that are one neighbourhood apart do not fall on the same places.
struct Probe {
  std::size_t at, step;
  Probe(std::int64_t number, std::size_t size) {
    constexpr std::uint64_t near = 128;
    const auto key = static_cast<std::uint64_t>(number);
    const std::uint64_t spread = key / near * 0x9E3779B97F4A7C15u;
    at =
        static_cast<std::size_t>((spread >> 24) / near * near + ((key + (spread >> 57)) % near)) & (size - 1);
    step = static_cast<std::size_t>((spread >> 40 | 1) * near + 1); // odd: it meets every place
  }
};

std::uint64_t ones(std::int64_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

} // namespace

RecentAtoms::RecentAtoms(std::int64_t atom, std::int64_t sector, std::int64_t capacity, std::int64_t reach)
    : atom_(atom), sector_(std::min(sector, atom)),
      atom_bits_(std::countr_zero(static_cast<std::uint64_t>(atom))),
      most_(static_cast<std::size_t>(std::max<std::int64_t>(capacity / atom / 2, 1))),
      pages_in_reach_(std::max<std::int64_t>(reach >> page_bits, 1)) {}

RecentAtoms::Page* RecentAtoms::find(Generation& generation, std::int64_t number) {
  if (generation.used == 0) return nullptr;
  const std::size_t mask = generation.pages.size() - 1;
  for (Probe p(number, mask + 1);; p.at = (p.at + p.step) & mask) {
    Page& page = generation.pages[p.at];
    if (page.epoch != generation.epoch) return nullptr;
    if (page.number == number) return &page;
  }
}

// The page is not there yet.
RecentAtoms::Page& RecentAtoms::insert(Generation& generation, std::int64_t number) {
  const auto place = [&generation](std::int64_t n) -> Page& {
    const std::size_t mask = generation.pages.size() - 1;
    Probe p(n, mask + 1);
    while (generation.pages[p.at].epoch == generation.epoch) p.at = (p.at + p.step) & mask;
    return generation.pages[p.at];
  };
  if (2 * (generation.used + 1) > generation.pages.size()) {
    std::vector<Page> old(std::max(first_size, 2 * generation.pages.size()),
                          Page{0, {0, 0}, 0, 0, 0, {0, 0}, false});
    std::swap(old, generation.pages);
    for (const Page& page : old)
      if (page.epoch == generation.epoch) place(page.number) = page;
  }
  ++generation.used;
  return place(number) = {number, {0, 0}, 0, generation.epoch, 0, {0, 0}, false};
}

bool RecentAtoms::has_neighbour(Generation& generation, std::int64_t number) const {
  const std::int64_t first = number & ~(pages_in_reach_ - 1);
  for (std::int64_t n = first; n < first + pages_in_reach_; ++n)
    if (n != number && find(generation, n) != nullptr) return true;
  return false;
}

void RecentAtoms::touch(std::int64_t address, bool is_read) {
  const std::int64_t number = address >> page_bits;
  const std::uint64_t in_page = static_cast<std::uint64_t>(address) & ((1u << page_bits) - 1);
  const std::uint32_t bit = std::uint32_t{1} << (in_page >> atom_bits_);
  if (last_ == nullptr || last_->number != number) last_ = find(now_, number);
  if (last_ != nullptr && (last_->touched & bit) != 0) return;

  if (now_.atoms >= most_) {
    retire(before_);
    std::swap(before_, now_);
    last_ = nullptr;
  }
  if (last_ == nullptr) {
    if (is_read && !has_neighbour(now_, number)) ++rows_read_;
    last_ = &insert(now_, number);
  }
  last_->touched |= bit;
  ++now_.atoms;
  if (Page* older = find(before_, number); older != nullptr && (older->touched & bit) != 0) {
    // Taken over, with what was written of it.
    older->touched &= ~bit;
    const std::uint64_t bytes = ones(atom_) << (in_page & ~static_cast<std::uint64_t>(atom_ - 1)) % 64;
    last_->written[in_page / 64] |= older->written[in_page / 64] & bytes;
    now_.any_written = now_.any_written || before_.any_written;
    older->written[in_page / 64] &= ~bytes;
  } else if (is_read) {
    ++reads_;
  }
}

void RecentAtoms::read(std::int64_t address, std::int64_t bytes) {
  for (std::int64_t at = address & ~(atom_ - 1); at < address + bytes; at += atom_) touch(at, true);
}

void RecentAtoms::write(std::int64_t address, std::int64_t bytes) {
  touch(address, false);
  const std::uint64_t in_page = static_cast<std::uint64_t>(address) & ((1u << page_bits) - 1);
  if (last_->writer != request_) last_->earlier = last_->written;
  last_->writer = request_;
  const std::uint64_t sector = ones(sector_) << (in_page & ~static_cast<std::uint64_t>(sector_ - 1)) % 64;
  const std::uint64_t earlier = last_->earlier[in_page / 64] & sector;
  if (!last_->split && earlier != 0 && earlier != sector) {
    last_->split = true;
    ++splits_;
  }
  last_->written[in_page / 64] |= ones(bytes) << in_page % 64;
  now_.any_written = true;
}

void RecentAtoms::evict(Generation& generation, const Page& page) {
  const std::uint64_t whole = ones(sector_);
  const std::int64_t fills = fills_, writes = writes_;
  for (std::size_t half = 0; half < 2; ++half)
    for (std::int64_t atom = 0; atom < 64 && page.written[half] != 0; atom += atom_) {
      bool in_part = false;
      for (std::int64_t at = atom; at < atom + atom_; at += sector_) {
        const std::uint64_t written = page.written[half] >> at & whole;
        writes_ += static_cast<std::int64_t>(written != 0);
        in_part = in_part || (written != 0 && written != whole);
      }
      fills_ += static_cast<std::int64_t>(in_part);
      reads_ += static_cast<std::int64_t>(in_part);
    }
  if (writes_ == writes) return;
  const double share = has_neighbour(generation, page.number) ? 1 / static_cast<double>(pages_in_reach_) : 1;
  rows_written_ += (writes_ - writes) * sector_ == (1 << page_bits) ? share : 1;
  if (fills_ > fills) rows_read_ += share;
}

void RecentAtoms::retire(Generation& generation) {
  if (generation.any_written)
    for (const Page& page : generation.pages)
      if (page.epoch == generation.epoch) evict(generation, page);
  generation.used = generation.atoms = 0;
  generation.any_written = false;
  ++generation.epoch;
}

void RecentAtoms::forget_all() {
  last_ = nullptr;
  retire(before_);
  retire(now_);
}

} // namespace perfmodel
