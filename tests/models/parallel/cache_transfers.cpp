#include "models/parallel/cache_transfers.hpp"

#include <cmath>
#include <cstdint>
#include <list>
#include <unordered_map>

#include <gtest/gtest.h>

namespace perfmodel::cache_transfers_test {

using A = ParallelAlgorithm;

double lines(A a, double n, double cache, double line = 32, double word = 4) {
  Plain plain;
  return cache_transfers(a, n, Bytes(cache), Bytes(line), Bytes(word), plain);
}

// An LRU cache of whole lines: fetches of what is read, write-backs of what was written.
class Cache {
public:
  Cache(double bytes, std::int64_t line)
      : room_(static_cast<std::size_t>(bytes) / static_cast<std::size_t>(line)), line_(line) {}
  void read(std::int64_t address) { touch(address, false); }
  void write(std::int64_t address) { touch(address, true); }
  double take() {
    while (!order_.empty()) evict();
    return transfers_;
  }

private:
  struct Line {
    std::int64_t number;
    bool written;
  };
  // A line that is only written is not fetched: all of it will be.
  void touch(std::int64_t address, bool write) {
    const std::int64_t number = address / line_;
    const auto at = where_.find(number);
    if (at != where_.end()) {
      order_.splice(order_.begin(), order_, at->second);
    } else {
      if (order_.size() == room_) evict();
      order_.push_front({number, false});
      where_[number] = order_.begin();
      transfers_ += write ? 0 : 1;
    }
    order_.front().written |= write;
  }
  void evict() {
    transfers_ += order_.back().written ? 1 : 0;
    where_.erase(order_.back().number);
    order_.pop_back();
  }
  std::size_t room_;
  std::int64_t line_;
  std::list<Line> order_;
  std::unordered_map<std::int64_t, std::list<Line>::iterator> where_;
  double transfers_ = 0;
};

// C = A B of n x n words of 4 B in tiles of t: for every tile of C, along k.
double product(std::int64_t n, std::int64_t t, double cache) {
  Cache c(cache, 32);
  const std::int64_t a = 0, b = 4 * n * n, d = 8 * n * n;
  for (std::int64_t ii = 0; ii < n; ii += t)
    for (std::int64_t jj = 0; jj < n; jj += t)
      for (std::int64_t kk = 0; kk < n; kk += t)
        for (std::int64_t i = ii; i < ii + t; ++i)
          for (std::int64_t j = jj; j < jj + t; ++j) {
            for (std::int64_t k = kk; k < kk + t; ++k) {
              c.read(a + 4 * (i * n + k));
              c.read(b + 4 * (k * n + j));
            }
            c.write(d + 4 * (i * n + j));
          }
  return c.take();
}

double transpose(std::int64_t n, std::int64_t t, double cache) {
  Cache c(cache, 32);
  for (std::int64_t ii = 0; ii < n; ii += t)
    for (std::int64_t jj = 0; jj < n; jj += t)
      for (std::int64_t i = ii; i < ii + t; ++i)
        for (std::int64_t j = jj; j < jj + t; ++j) {
          c.read(4 * (i * n + j));
          c.write(4 * n * n + 4 * (j * n + i));
        }
  return c.take();
}

// 64 rows of 8 lines: three matrices are 48 KiB, a column of B 64 lines, 2 KiB.
TEST(CacheTransfers, three_loops_miss_what_an_lru_cache_misses) {
  EXPECT_EQ(lines(A::matmul_loops, 64, 65536), 3 * 64 * 8);
  EXPECT_EQ(product(64, 64, 65536), 3 * 64 * 8);
  EXPECT_EQ(lines(A::matmul_loops, 64, 4096), 2 * 64 * 8 + 64 * 64 * 8);
  EXPECT_EQ(product(64, 64, 4096), 2 * 64 * 8 + 64 * 64 * 8);
  EXPECT_EQ(lines(A::matmul_loops, 64, 1024), 2 * 64 * 8 + 64 * 64 * 64);
  EXPECT_NEAR(product(64, 64, 1024) / lines(A::matmul_loops, 64, 1024), 1, 0.15)
      << "LRU loses rows of A, too";
}

// sqrt(768 KiB / 12 B) = 256; 2 x 1000^3 / 256^2 and 1000^2 / 256, 32 lines each.
TEST(CacheTransfers, a_product_by_tiles_of_256_words) {
  EXPECT_DOUBLE_EQ(lines(A::matmul_in_place, 1000, 786432), (2e9 / 65536 + 1e6 / 256) * 32);
  EXPECT_EQ(lines(A::matmul_in_place, 256, 786432), 3 * 256 * 32) << "all of it fits: each line once";
  EXPECT_EQ(lines(A::matmul_divide_and_conquer, 100, 1e9), 3 * 100 * 12.5);
}

// The formula's tile is the largest that an ideal cache holds; LRU needs a little more room for it.
TEST(CacheTransfers, a_tiled_product_misses_what_an_lru_cache_of_half_as_much_again_misses) {
  for (const double t : {8.0, 16.0, 32.0}) {
    const double cache = 3 * 4 * t * t;
    const double lru = product(128, static_cast<std::int64_t>(t), 1.5 * cache);
    EXPECT_NEAR(lru / lines(A::matmul_in_place, 128, cache), 1, 0.05) << t;
  }
}

TEST(CacheTransfers, a_transpose_moves_every_line_once_where_two_tiles_fit) {
  EXPECT_EQ(lines(A::transpose, 128, 1024), 2 * 128 * 16);
  EXPECT_EQ(transpose(128, 8, 1024), 2 * 128 * 16);
  EXPECT_GT(lines(A::transpose, 128, 128), 2 * 128 * 16) << "a cache of four lines is not tall";
}

TEST(CacheTransfers, streams_pass_once_for_every_time_they_are_read_or_written) {
  EXPECT_EQ(lines(A::reduction, 1000, 1024), 125);
  EXPECT_EQ(lines(A::reduction, 1001, 1024), 126);
  EXPECT_EQ(lines(A::scan_serial, 1000, 1024), 250);
  EXPECT_EQ(lines(A::scan_blelloch, 1000, 1024), 375);
  EXPECT_EQ(lines(A::scan_blelloch, 1000, 4000), 250) << "all of it fits";
  EXPECT_EQ(lines(A::scan_hillis_steele, 1000, 7999), 2500) << "ten steps";
  EXPECT_EQ(lines(A::scan_hillis_steele, 1000, 8000), 250);
}

// 2^20 numbers of 8 B; a cache of 2^10 of them passes twice, of 2^5 four times, of all once.
TEST(CacheTransfers, an_fft_passes_once_for_every_factor_that_the_cache_holds) {
  const double once = 2 * 1048576 * 8 / 32;
  EXPECT_EQ(lines(A::fft, 1048576, 8192), 2 * once);
  EXPECT_EQ(lines(A::fft, 1048576, 8191), 3 * once);
  EXPECT_EQ(lines(A::fft, 1048576, 256), 4 * once);
  EXPECT_EQ(lines(A::fft, 1048576, 8 << 20), once);
}

TEST(CacheTransfers, fall_as_the_cache_grows_and_never_below_one_pass) {
  for (std::size_t i = 0; i < names(A{}).size(); ++i)
    for (const double n : {1, 10, 100, 1000, 5000}) {
      const A a = static_cast<A>(i);
      double before = INFINITY;
      for (double cache = 32; cache < 1e10; cache *= 1.25) {
        const double q = lines(a, n, cache);
        EXPECT_LE(q, before * (1 + 1e-12)) << name_of(a) << ", " << n << ", " << cache;
        EXPECT_GE(q, 1);
        before = q;
      }
    }
}

// H. T. Kung, ISCA 1986: the cache that halves the traffic is four times as large, or its square.
TEST(CacheTransfers, the_cache_for_twice_the_work_halves_the_traffic) {
  const Bytes word(4);
  for (const A a : {A::matmul_divide_and_conquer, A::matmul_in_place, A::fft}) {
    const double n = a == A::fft ? std::exp2(40) : 1e6, cache = 65536;
    const Bytes then = cache_for_twice_the_work(a, n, Bytes(cache), word);
    EXPECT_NEAR(lines(a, n, cache) / lines(a, n, then.value), 2, a == A::fft ? 0.7 : 0.001) << name_of(a);
  }
  EXPECT_EQ(cache_for_twice_the_work(A::fft, std::exp2(40), Bytes(8192), word).value, 8 * std::exp2(20));
  EXPECT_EQ(lines(A::fft, std::exp2(40), 8192) / lines(A::fft, std::exp2(40), 8 * std::exp2(20)), 2);
  EXPECT_TRUE(std::isnan(cache_for_twice_the_work(A::reduction, 1e6, Bytes(65536), word).value));
  EXPECT_TRUE(std::isnan(cache_for_twice_the_work(A::matmul_in_place, 10, Bytes(65536), word).value))
      << "all of it fits";
}

} // namespace perfmodel::cache_transfers_test
