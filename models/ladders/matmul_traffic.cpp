#include "matmul_traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace perfmodel {

namespace {

constexpr std::int64_t word = 4;
constexpr auto lanes = static_cast<std::int64_t>(warp_lanes);

struct LaneAddresses {
  std::array<std::int64_t, warp_lanes> at{};
  std::uint32_t mask = 0;
  std::int64_t word_bytes = word;
  void set(std::int64_t lane, std::int64_t address) {
    at[static_cast<std::size_t>(lane)] = address;
    mask |= std::uint32_t{1} << lane;
  }
};

enum class Operand { a, b, c };

class Walk {
public:
  Walk(const MatmulRung& rung, std::int64_t n, const MatmulMemory& memory)
      : rung_(rung), n_(n), memory_(memory), across_((n + rung.columns - 1) / rung.columns),
        down_((n + rung.rows - 1) / rung.rows), warps_((rung.threads + lanes - 1) / lanes),
        steps_((n + rung.depth - 1) / rung.depth) {}

  MatmulTraffic traffic() {
    MatmulTraffic t{.a = load(Operand::a), .b = load(Operand::b)};
    t.stores = load(Operand::c).transactions;
    if (memory_.cached)
      through_caches(t);
    else
      to_partitions(t);
    if (rung_.version != MatmulVersion::naive) shared(t);
    return t;
  }

private:
  bool wide() const { return rung_.version == MatmulVersion::register_tiled; }

  // The n-th access of a warp to an operand in a step; the register tile takes 16-byte words, one of either
  // operand, and its last store.
  LaneAddresses access(Operand operand, std::int64_t block, std::int64_t warp, std::int64_t step) const {
    LaneAddresses lane;
    const std::int64_t top = block / across_ * rung_.rows, left = block % across_ * rung_.columns,
                       first = step * rung_.depth;
    if (wide()) lane.word_bytes = 4 * word;
    for (std::int64_t l = 0; l < lanes; ++l) {
      const std::int64_t thread = warp * lanes + l;
      if (thread >= rung_.threads) break;
      const std::int64_t x = thread % rung_.columns, y = thread / rung_.columns;
      std::int64_t row = top + y, column = left + x;
      if (operand == Operand::a) column = first + (rung_.version == MatmulVersion::naive ? 0 : x);
      if (operand == Operand::b) row = first + (rung_.version == MatmulVersion::naive ? 0 : y);
      if (wide() && operand == Operand::a) row = top + thread / 2, column = first + thread % 2 * 4;
      if (wide() && operand == Operand::b) row = first + warp, column = left + l * 4;
      if (wide() && operand == Operand::c) row = top + l % 2 * 4 + l / 16 * 8, column = left + l / 2 % 8 * 4;
      if (row < n_ && column < n_)
        lane.set(l, (row * n_ + column) / (lane.word_bytes / word) * lane.word_bytes);
    }
    return lane;
  }

  std::vector<std::int64_t> some(std::int64_t count) const {
    std::vector<std::int64_t> list;
    constexpr std::int64_t most = 5; // odd, so that they do not repeat with the powers of two
    for (std::int64_t i = 0; i < std::min(count, most); ++i)
      list.push_back(i * count / std::min(count, most));
    return list;
  }

  OperandLoad load(Operand operand) const {
    OperandLoad sum;
    double accesses = 0;
    const CoalescingRule& rule = operand == Operand::c ? memory_.store : memory_.load;
    for (const std::int64_t block : some(across_ * down_))
      for (const std::int64_t step : some(steps_)) {
        std::set<std::int64_t> different;
        for (std::int64_t warp = 0; warp < warps_; ++warp, ++accesses) {
          const LaneAddresses lane = access(operand, block, warp, step);
          const Transactions all = transactions(rule, lane.at, lane.mask, lane.word_bytes);
          sum.transactions += static_cast<double>(all.count);
          sum.moved += static_cast<double>(all.moved);
          for (const Transaction& t : all.all())
            for (std::int64_t at = t.address; at < t.address + t.bytes; at += rule.least)
              different.insert(at);
          sum.wavefronts += static_cast<double>(
              bank_steps(memory_.banks, lane.at, lane.mask, lane.word_bytes, SharedAccess::load).wavefronts);
        }
        // Rows of A are read on from step to step: of a sector the next steps find the rest in L1.
        sum.l2_bytes += operand == Operand::a
                            ? static_cast<double>(std::min(rung_.rows, n_) * rung_.depth * word)
                            : static_cast<double>(different.size()) * static_cast<double>(rule.least);
      }
    sum.transactions /= accesses;
    sum.moved /= accesses;
    sum.wavefronts /= accesses;
    sum.l2_bytes /= accesses;
    return sum;
  }

  void through_caches(MatmulTraffic& t) const {
    if (memory_.fits) return;
    const auto resident = static_cast<double>(memory_.resident), across = static_cast<double>(across_);
    const double rows = std::ceil(std::max(1.0, resident / across)), columns = std::min(across, resident);
    const double a_blocks = std::min(resident, across * rows) / rows; // that share a row of blocks
    const double b_blocks = std::min(resident, across * rows) / columns;
    const double per_warp = static_cast<double>(rung_.depth * word) / static_cast<double>(warps_);
    t.a.dram_bytes = static_cast<double>(rung_.rows) * per_warp / std::max(1.0, a_blocks);
    t.b.dram_bytes = static_cast<double>(rung_.columns) * per_warp / std::max(1.0, b_blocks);
  }

  void to_partitions(MatmulTraffic& t) {
    const double busiest_a = busy(Operand::a), busiest_b = busy(Operand::b), both = busy_together();
    const double warps = static_cast<double>(warps_) * static_cast<double>(window());
    // Bytes that would keep all partitions busy as long as the busiest is with both.
    const double share = busiest_a + busiest_b > 0 ? both / (busiest_a + busiest_b) : 0;
    t.a.dram_bytes = busiest_a * share * memory_.bandwidth / warps;
    t.b.dram_bytes = busiest_b * share * memory_.bandwidth / warps;
    t.camped = both > 1.1 * even_;
  }

  std::int64_t window() const { return std::min(memory_.resident, across_ * down_); }

  // Seconds of the busiest partition for what all resident blocks ask for in one step, the mean of a few.
  double busy(Operand operand) { return busiest({operand}); }
  double busy_together() { return busiest({Operand::a, Operand::b}); }
  double busiest(const std::vector<Operand>& operands) {
    const std::int64_t windows = (across_ * down_ + window() - 1) / window();
    double sum = 0, count = 0, even = 0;
    for (const std::int64_t w : some(windows))
      for (const std::int64_t step : some(steps_)) {
        std::map<std::int64_t, double> seconds;
        const std::int64_t first = std::min(w * window(), across_ * down_ - window());
        for (const Operand operand : operands)
          for (std::int64_t warp = 0; warp < warps_; ++warp) add(operand, first, warp, step, seconds);
        double most = 0, all = 0;
        for (const auto& [partition, s] : seconds) most = std::max(most, s), all += s;
        sum += memory_.partitions > 0 ? most : all / std::max(1.0, parts());
        even += all / std::max(1.0, parts());
        ++count;
      }
    even_ = even / count;
    return sum / count;
  }
  double parts() const { return static_cast<double>(std::max<std::int64_t>(memory_.partitions, 1)); }

  // One instruction of all blocks of a window.
  void add(Operand operand, std::int64_t first, std::int64_t warp, std::int64_t step,
           std::map<std::int64_t, double>& seconds) const {
    std::vector<Transaction> all;
    for (std::int64_t block = first; block < first + window(); ++block) {
      const LaneAddresses lane = access(operand, block, warp, step);
      const Transactions t = transactions(memory_.load, lane.at, lane.mask, lane.word_bytes);
      all.insert(all.end(), t.all().begin(), t.all().end());
    }
    std::sort(all.begin(), all.end(),
              [](const Transaction& a, const Transaction& b) { return a.address < b.address; });
    for (std::size_t i = 0; i < all.size();) {
      const std::int64_t chunk = all[i].address / memory_.interleave;
      std::int64_t end = all[i].address, bytes = 0;
      for (; i < all.size() && all[i].address <= end && all[i].address / memory_.interleave == chunk; ++i) {
        end = std::max(end, all[i].address + all[i].bytes);
        bytes += all[i].bytes;
      }
      const double run = memory_.segment_rate > 0 ? parts() / memory_.segment_rate : 0;
      seconds[chunk % std::max<std::int64_t>(memory_.partitions, 1)] +=
          std::max(static_cast<double>(bytes) * parts() / memory_.bandwidth, run);
    }
  }

  double wavefronts(const LaneAddresses& lane, SharedAccess access) const {
    return static_cast<double>(
        bank_steps(memory_.banks, lane.at, lane.mask, lane.word_bytes, access).wavefronts);
  }

  // Tiles in shared memory: A [tile][tile] and B [tile][tile], or A transposed with padding.
  void shared(MatmulTraffic& t) const {
    const std::int64_t tile = rung_.columns;
    if (!wide()) t.wide = tile % 4 == 0 ? 4 : tile % 2 == 0 ? 2 : 1; // neighbouring k in one load
    for (std::int64_t warp = 0; warp < warps_; ++warp) {
      LaneAddresses store, load_a, load_b;
      if (wide()) load_a.word_bytes = load_b.word_bytes = 4 * word;
      if (!wide()) load_a.word_bytes = t.wide * word;
      for (std::int64_t l = 0; l < lanes && warp * lanes + l < rung_.threads; ++l) {
        const std::int64_t thread = warp * lanes + l, x = thread % tile, y = thread / tile;
        if (wide()) {
          load_a.set(l, (l % 2 + l / 16 * 2) * 4 * word);
          load_b.set(l, l / 2 % 8 * 4 * word);
        } else {
          load_a.set(l, y * tile * word / load_a.word_bytes * load_a.word_bytes);
          load_b.set(l, x * word);
        }
        store.set(l, thread * word);
      }
      t.load_a += wavefronts(load_a, SharedAccess::load) / static_cast<double>(warps_);
      t.load_b += wavefronts(load_b, SharedAccess::load) / static_cast<double>(warps_);
      t.store_a += wavefronts(store, SharedAccess::store) / static_cast<double>(warps_);
    }
    t.store_b = t.store_a;
    if (wide()) t.store_a = t.store_b = 4; // four words of a column of A, 16 bytes of B
  }

  const MatmulRung& rung_;
  const std::int64_t n_;
  const MatmulMemory& memory_;
  const std::int64_t across_, down_, warps_, steps_;
  double even_ = 0;
};

} // namespace

MatmulTraffic matmul_traffic(const MatmulRung& rung, std::int64_t n, const MatmulMemory& memory) {
  return Walk(rung, n, memory).traffic();
}

} // namespace perfmodel
