#include "partitions.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::int64_t most_windows = 64; // some tenths of a second

// One of the windows from `first` to before `last`, at no regular distance from that of the next stretch:
// windows repeat with the rows of tiles.
std::int64_t one_of(std::int64_t first, std::int64_t last) {
  const std::uint64_t mixed = static_cast<std::uint64_t>(first + 1) * 0x9E3779B97F4A7C15u >> 32;
  return first + static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(last - first));
}

// Seconds that each partition is busy.
class Busy {
public:
  explicit Busy(const Partitions& p)
      : partitions_(p), seconds_(static_cast<std::size_t>(p.count), 0.0),
        per_byte_(static_cast<double>(p.count) / p.bandwidth),
        per_segment_(p.segment_rate > 0 ? static_cast<double>(p.count) / p.segment_rate : 0) {}

  // What one instruction asks for in all blocks of a window, in any order.
  void add(std::vector<Transaction>& all) {
    sort(all);
    for (std::size_t i = 0; i < all.size();) {
      const std::int64_t chunk = all[i].address / partitions_.interleave;
      std::int64_t end = all[i].address, bytes = 0;
      for (; i < all.size() && all[i].address <= end && all[i].address / partitions_.interleave == chunk;
           ++i) {
        end = std::max(end, all[i].address + all[i].bytes);
        bytes += all[i].bytes;
      }
      seconds_[static_cast<std::size_t>(chunk % partitions_.count)] +=
          std::max(static_cast<double>(bytes) * per_byte_, per_segment_);
      ++segments_;
      bytes_ += bytes;
    }
  }
  void end_window(PartitionLoad& load) {
    load.busiest += *std::max_element(seconds_.begin(), seconds_.end());
    load.even +=
        std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
    load.segments += static_cast<double>(segments_);
    load.moved += bytes_;
    std::fill(seconds_.begin(), seconds_.end(), 0.0);
    segments_ = bytes_ = 0;
  }

private:
  // Blocks in order ask for rising addresses, but where a row of tiles ends: few rising stretches are merged.
  static void sort(std::vector<Transaction>& all) {
    const auto less = [](const Transaction& a, const Transaction& b) { return a.address < b.address; };
    for (auto sorted = std::is_sorted_until(all.begin(), all.end(), less); sorted != all.end();) {
      const auto next = std::is_sorted_until(sorted, all.end(), less);
      std::inplace_merge(all.begin(), sorted, next, less);
      sorted = next;
    }
  }

  Partitions partitions_;
  std::vector<double> seconds_;
  double per_byte_, per_segment_;
  std::int64_t segments_ = 0, bytes_ = 0;
};

// The 32 elements of a tile, from `first` on, that a warp-wide instruction asks for.
struct Elements {
  Elements(std::int64_t first, std::int64_t tile)
      : count(static_cast<std::size_t>(std::min<std::int64_t>(warp_lanes, tile * tile - first))) {
    for (std::size_t l = 0; l < count; ++l) {
      x[l] = (first + static_cast<std::int64_t>(l)) % tile;
      y[l] = (first + static_cast<std::int64_t>(l)) / tile;
    }
  }
  std::array<std::int64_t, warp_lanes> x{}, y{};
  std::size_t count;
};

class TileAccess {
public:
  TileAccess(const MatrixWalk& m, bool is_store, const CoalescingRule& rule) : m_(m), rule_(rule) {
    const bool columns =
        m.kernel == MatrixKernel::strided_both || (m.kernel == MatrixKernel::naive && is_store);
    transposed_tile_ = m.kernel == MatrixKernel::padded && is_store;
    columns_ = columns;
    aligned_ = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(
        std::max({rule.most, rule.alone, rule.least * m.word, rule.threads * m.word}))));
    together_ = !is_store || !stores_behind_barrier(m.kernel);
  }
  // The transactions for these elements of a whole tile whose first element has that address. Of a tile that
  // lies a multiple of the longest transaction further on they are the same, that much further on.
  struct OfTile {
    std::int64_t first = 0;
    Transactions transactions;
    bool known = false;
  };
  void add(std::int64_t tile_x, std::int64_t tile_y, const Elements& elements, OfTile& last,
           std::vector<Transaction>& to) const {
    if (transposed_tile_) std::swap(tile_x, tile_y);
    const std::int64_t x = (columns_ ? tile_y : tile_x) * m_.tile, y = (columns_ ? tile_x : tile_y) * m_.tile,
                       first = (y * m_.pitch + x) * m_.word;
    const bool whole = x + m_.tile <= m_.n && y + m_.tile <= m_.n;
    if (whole && last.known && (first - last.first) % aligned_ == 0) {
      for (std::size_t i = 0; i < last.transactions.count; ++i)
        to.push_back(
            {last.transactions.list[i].address + first - last.first, last.transactions.list[i].bytes});
      return;
    }
    std::array<std::int64_t, warp_lanes> address{};
    std::uint32_t mask = 0;
    for (std::size_t l = 0; l < elements.count; ++l) {
      std::int64_t column = tile_x * m_.tile + elements.x[l], row = tile_y * m_.tile + elements.y[l];
      if (columns_) std::swap(row, column);
      if (row >= m_.n || column >= m_.n) continue;
      address[l] = (row * m_.pitch + column) * m_.word;
      mask |= std::uint32_t{1} << l;
    }
    const Transactions t = transactions(rule_, address, mask, m_.word);
    to.insert(to.end(), t.list.begin(), t.list.begin() + static_cast<std::ptrdiff_t>(t.count));
    if (whole) last = {first, t, true};
  }

  bool together() const { return together_; } // with the other blocks of the window

private:
  const MatrixWalk& m_;
  const CoalescingRule& rule_;
  bool columns_ = false, transposed_tile_ = false, together_ = true;
  std::int64_t aligned_ = 1; // bytes
};

// The tile that a block works on.
struct Tile {
  std::int64_t x = 0, y = 0;
};
Tile tile_of(const MatrixWalk& m, std::int64_t tiles, std::int64_t x, std::int64_t y) {
  return m.mapping == TileMapping::diagonal ? Tile{(x + y) % tiles, x} : Tile{x, y};
}

} // namespace

PartitionLoad walk_matrix(const Partitions& partitions, const CoalescingRule& load,
                          const CoalescingRule& store, const MatrixWalk& m) {
  const std::int64_t tiles = (m.n + m.tile - 1) / m.tile, blocks = tiles * tiles;
  const std::int64_t windows = (blocks + m.window - 1) / m.window;
  const std::int64_t walked = std::min(windows, most_windows);
  const TileAccess accesses[] = {{m, false, load}, {m, true, store}};
  PartitionLoad result;
  Busy busy(partitions);
  std::vector<Transaction> instruction;
  std::int64_t blocks_walked = 0;
  for (std::int64_t w = 0; w < walked; ++w) {
    const std::int64_t first = one_of(w * windows / walked, (w + 1) * windows / walked) * m.window,
                       last = std::min(first + m.window, blocks);
    blocks_walked += last - first;
    for (const TileAccess& access : accesses)
      for (std::int64_t element = 0; element < m.tile * m.tile;
           element += static_cast<std::int64_t>(warp_lanes)) {
        const Elements elements(element, m.tile);
        TileAccess::OfTile like;
        instruction.clear();
        for (std::int64_t b = first; b < last; ++b) {
          const Tile tile = tile_of(m, tiles, b % tiles, b / tiles);
          access.add(tile.x, tile.y, elements, like, instruction);
          if (!access.together()) {
            busy.add(instruction);
            instruction.clear();
          }
        }
        busy.add(instruction);
      }
    busy.end_window(result);
  }
  result.share = static_cast<double>(blocks_walked) / static_cast<double>(blocks);
  return result;
}

PartitionLoad walk_streams(const Partitions& partitions, std::int64_t distance, std::int64_t window) {
  PartitionLoad result;
  Busy busy(partitions);
  std::vector<Transaction> pieces;
  for (std::int64_t k = 0; k < window; ++k) pieces.push_back({k * distance, partitions.interleave});
  busy.add(pieces);
  busy.end_window(result);
  return result;
}

std::int64_t partition_of(const Partitions& p, std::int64_t address) {
  return address / p.interleave % p.count;
}

std::int64_t partitions_met(const Partitions& p, std::int64_t distance) {
  if (distance % p.interleave != 0) return p.count; // sooner or later
  return p.count / std::gcd(p.count, distance / p.interleave);
}

std::int64_t partitions_met(const Partitions& p, const MatrixWalk& m) {
  const std::int64_t tiles = (m.n + m.tile - 1) / m.tile;
  const auto met = [&](bool transposed) {
    std::vector<bool> partitions(static_cast<std::size_t>(p.count), false);
    for (std::int64_t x = 0; x < tiles; ++x) {
      Tile tile = tile_of(m, tiles, x, 0);
      if (transposed) std::swap(tile.x, tile.y);
      const std::int64_t last = std::min((tile.y + 1) * m.tile, m.n);
      for (std::int64_t row = tile.y * m.tile; row < last; ++row)
        partitions[static_cast<std::size_t>(partition_of(p, (row * m.pitch + tile.x * m.tile) * m.word))] =
            true;
    }
    return static_cast<std::int64_t>(std::count(partitions.begin(), partitions.end(), true));
  };
  const bool reads_columns = m.kernel == MatrixKernel::strided_both;
  const bool writes_columns =
      reads_columns || m.kernel == MatrixKernel::naive || m.kernel == MatrixKernel::padded;
  return std::min(met(reads_columns), met(writes_columns));
}

} // namespace perfmodel
