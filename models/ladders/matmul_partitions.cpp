#include "matmul_partitions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace perfmodel {

namespace {

constexpr std::int64_t matrix_word = 4;
constexpr auto warp_threads = static_cast<std::int64_t>(warp_lanes);

enum class Factor { a, b };

class DealtWalk {
public:
  DealtWalk(const MatmulRung& rung, std::int64_t n, const DealtMemory& memory)
      : rung_(rung), n_(n), memory_(memory), across_((n + rung.columns - 1) / rung.columns),
        blocks_(across_ * ((n + rung.rows - 1) / rung.rows)), window_(std::min(memory.resident, blocks_)),
        steps_((n + rung.depth - 1) / rung.depth) {}

  Seconds time() const {
    const std::int64_t windows = (blocks_ + window_ - 1) / window_;
    double sum = 0, count = 0;
    for (const std::int64_t w : some(windows))
      for (const std::int64_t step : some(steps_)) {
        sum += busiest(std::min(w * window_, blocks_ - window_), step);
        ++count;
      }
    return Seconds{sum / count * static_cast<double>(windows * steps_)};
  }

private:
  static std::vector<std::int64_t> some(std::int64_t count) {
    std::vector<std::int64_t> list;
    constexpr std::int64_t most = 5; // odd, so that they do not repeat with the powers of two
    for (std::int64_t i = 0; i < std::min(count, most); ++i)
      list.push_back(i * count / std::min(count, most));
    return list;
  }

  double busiest(std::int64_t first, std::int64_t step) const {
    std::map<std::int64_t, double> seconds; // of each partition
    for (const Factor factor : {Factor::a, Factor::b})
      for (std::int64_t warp = 0; warp * warp_threads < rung_.threads; ++warp)
        add(factor, first, warp, step, seconds);
    double most = 0;
    for (const auto& [partition, s] : seconds) most = std::max(most, s);
    return most;
  }

  // One instruction of a warp of all blocks of a window.
  void add(Factor factor, std::int64_t first, std::int64_t warp, std::int64_t step,
           std::map<std::int64_t, double>& seconds) const {
    std::vector<Transaction> all;
    for (std::int64_t block = first; block < first + window_; ++block) {
      std::array<std::int64_t, warp_lanes> at{};
      const std::uint32_t mask = access(factor, block, warp, step, at);
      const Transactions t = transactions(memory_.load, at, mask, matrix_word);
      all.insert(all.end(), t.all().begin(), t.all().end());
    }
    std::sort(all.begin(), all.end(),
              [](const Transaction& a, const Transaction& b) { return a.address < b.address; });
    const auto parts = static_cast<double>(memory_.partitions);
    const double run = memory_.segment_rate > 0 ? parts / memory_.segment_rate : 0;
    for (std::size_t i = 0; i < all.size();) {
      const std::int64_t chunk = all[i].address / memory_.interleave;
      std::int64_t end = all[i].address, bytes = 0;
      for (; i < all.size() && all[i].address <= end && all[i].address / memory_.interleave == chunk; ++i) {
        end = std::max(end, all[i].address + all[i].bytes);
        bytes += all[i].bytes;
      }
      seconds[chunk % memory_.partitions] +=
          std::max(static_cast<double>(bytes) * parts / memory_.bandwidth, run);
    }
  }

  std::uint32_t access(Factor factor, std::int64_t block, std::int64_t warp, std::int64_t step,
                       std::array<std::int64_t, warp_lanes>& at) const {
    const std::int64_t top = block / across_ * rung_.rows, left = block % across_ * rung_.columns,
                       first = step * rung_.depth;
    const bool naive = rung_.version == MatmulVersion::naive;
    std::uint32_t mask = 0;
    for (std::int64_t lane = 0; lane < warp_threads; ++lane) {
      const std::int64_t thread = warp * warp_threads + lane;
      if (thread >= rung_.threads) break;
      const std::int64_t x = thread % rung_.columns, y = thread / rung_.columns;
      const std::int64_t row = factor == Factor::a ? top + y : first + (naive ? 0 : y),
                         column = factor == Factor::b ? left + x : first + (naive ? 0 : x);
      if (row >= n_ || column >= n_) continue;
      at[static_cast<std::size_t>(lane)] = (row * n_ + column) * matrix_word;
      mask |= std::uint32_t{1} << lane;
    }
    return mask;
  }

  const MatmulRung& rung_;
  const std::int64_t n_;
  const DealtMemory& memory_;
  const std::int64_t across_, blocks_, window_, steps_;
};

} // namespace

Seconds busiest_partition_time(const MatmulRung& rung, std::int64_t n, const DealtMemory& memory) {
  return DealtWalk(rung, n, memory).time();
}

} // namespace perfmodel
