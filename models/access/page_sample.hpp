// Which pieces of memory a cache is followed in, so that what is remembered stays small whatever the launch:
// all of them at first; after every halving one of each two neighbours that are left. What is counted in them
// stands for all, and the cache shrinks with them. Streams whose accesses are alike are counted as exactly as
// before, mixed ones to about a hundredth (1 / sqrt of the pages kept). C. A. Waldspurger et al., Efficient
// MRC Construction with SHARDS, FAST 2015, whose samples are of single pages.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

class PageSample {
public:
  // Pages of a generation, at which it is to be thinned.
  static constexpr std::size_t usual_pages = std::size_t{1} << 13;

  // A piece holds whole openings of a DRAM row, of `reach` bytes, a power of two.
  explicit PageSample(std::int64_t reach, std::size_t most_pages = usual_pages)
      : most_pages_(most_pages),
        piece_bits_(std::max(10, std::countr_zero(static_cast<std::uint64_t>(reach)))) {}

  bool holds(std::uint64_t address) const { return (scrambled(address >> piece_bits_) & left_out_) == 0; }
  // Of accesses since the last halving, those to pieces that are held.
  void count(std::size_t all, std::size_t held) {
    all_ += static_cast<std::int64_t>(all);
    held_ += static_cast<std::int64_t>(held);
  }
  // For how many accesses one stands that was counted since the last halving: as many as there were, so that
  // chance has no part in a stream whose accesses are alike. Where that is far from what the halvings say
  // some piece has a larger part in the accesses than in the memory, and these say it.
  double weight() const {
    constexpr double far = 0.06; // more than chance does to a sample of usual_pages
    const auto pieces = static_cast<double>(pieces_for_one());
    if (held_ == 0) return pieces;
    const double accesses = static_cast<double>(all_) / static_cast<double>(held_);
    return std::abs(accesses / pieces - 1) < far ? accesses : pieces;
  }
  bool is_full(std::size_t pages) const { return pages >= most_pages_; }
  void halve() {
    left_out_ = 2 * left_out_ + 1;
    all_ = held_ = 0;
  }
  std::int64_t pieces_for_one() const { return static_cast<std::int64_t>(left_out_) + 1; }
  std::int64_t piece() const { return std::int64_t{1} << piece_bits_; } // bytes

private:
  // Each bit is turned over or not by those above it: of neighbours that agree in these, a fixed share is
  // held, and which one differs from group to group, so that no stride meets always or never those held.
  static std::uint64_t scrambled(std::uint64_t piece) {
    piece ^= piece >> 1;
    piece ^= (piece >> 3) & (piece >> 4);
    piece ^= piece >> 5;
    piece ^= (piece >> 7) & (piece >> 2);
    return piece ^ piece >> 17;
  }

  std::size_t most_pages_;
  int piece_bits_;
  std::uint64_t left_out_ = 0; // of a scrambled number, the bits that are 0 in pieces held
  std::int64_t all_ = 0, held_ = 0;
};

} // namespace perfmodel
