#include "models/parallel/product_time.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::shared_memory_test {

constexpr const char* rows = "product and sum";
constexpr const char* scaling = "how far it scales";
constexpr double us = 1e-6;

// 1 ns an operation, 1 us a round of a barrier, 2 us a lock, 10 us a start; 5 us and 1 GB/s a message.
ProductCosts costs(BarrierKind kind = BarrierKind::logarithmic) {
  return {.operation = Seconds(1e-9),
          .barrier = Seconds(1 * us),
          .lock = Seconds(2 * us),
          .spawn = Seconds(10 * us),
          .kind = kind,
          .alpha = Seconds(5 * us),
          .beta = BytesPerSecond(1e9),
          .host_link = BytesPerSecond(10e9),
          .word = Bytes(8)};
}
const Words given{{"operation", "1ns"}, {"barrier", "1us"}, {"lock", "2us"},       {"spawn", "10us"},
                  {"latency", "5us"},   {"word", "8"},      {"bandwidth", "1GB/s"}};
Result answer(const Words& more, const Gpu& gpu = {}) {
  Words words = given;
  words.insert(words.end(), more.begin(), more.end());
  return ask_graded("shared-memory", gpu, words);
}

// Giorgi, lesson 30, slide 4, with numbers: 100 rows of 4 processes are 25 x 100^2 x 2 ns = 500 us; a barrier
// of 2 rounds, or of 4; 4 locks.
TEST(SharedMemory, the_lectures_program_worked_by_hand) {
  const ProductTime t = product_time(ProductWay::shared_memory, 100, 4, costs());
  EXPECT_DOUBLE_EQ(t.compute.value, 500 * us);
  EXPECT_DOUBLE_EQ(t.barrier.value, 2 * us);
  EXPECT_DOUBLE_EQ(t.locks.value, 8 * us);
  EXPECT_DOUBLE_EQ(t.spawn.value, 30 * us);
  EXPECT_DOUBLE_EQ(product_time(ProductWay::shared_memory, 100, 4, costs(BarrierKind::linear)).barrier.value,
                   4 * us);
  const Result r = answer({{"n", "100"}, {"processes", "4"}});
  EXPECT_DOUBLE_EQ(number(r, rows, "time"), 540 * us);
  EXPECT_DOUBLE_EQ(number(r, rows, "speedup"), 2000 / 540.0);
  EXPECT_EQ(r.grade, Grade::known);
}

// N / P of the slide: 102 rows of 4 processes are 26 for some and 25 for others.
TEST(SharedMemory, a_remainder_makes_one_process_the_slowest) {
  const Result r = answer({{"n", "102"}, {"processes", "4"}});
  EXPECT_EQ(number(r, rows, "rows"), 26);
  EXPECT_DOUBLE_EQ(number(r, rows, "computing"), 26 * 102 * 102 * 2e-9);
  EXPECT_NEAR(number(r, rows, "idle"), 2.0 / 104, 1e-12);
  EXPECT_EQ(number(answer({{"n", "100"}, {"processes", "4"}}), rows, "idle"), 0);
  EXPECT_EQ(number(answer({{"n", "3"}, {"processes", "4"}}), rows, "rows"), 1);
}

// 1000 rows of 8 B are 8 MB: 8 ms at 1 GB/s. Scatter and gather send 3/4 of it, the broadcast all of it in
// each of 2 rounds; each of the four has 2 rounds of 5 us.
TEST(SharedMemory, by_messages_the_matrices_are_sent) {
  const ProductTime t = product_time(ProductWay::messages, 1000, 4, costs());
  EXPECT_DOUBLE_EQ(t.scatter.value, 10 * us + 6e-3);
  EXPECT_DOUBLE_EQ(t.gather.value, t.scatter.value);
  EXPECT_DOUBLE_EQ(t.broadcast.value, 10 * us + 16e-3);
  EXPECT_DOUBLE_EQ(t.reduction.value, 10 * us + 16e-9);
  EXPECT_EQ(t.barrier.value + t.locks.value + t.spawn.value, 0);
}

// A GPU with 10 GB/s to its host: all of A, B and C in 2.4 ms; of four GPUs each, a quarter of A and C.
TEST(SharedMemory, nothing_on_a_gpu_takes_less_than_its_launches) {
  ProductCosts of_one = costs();
  of_one.launch = Seconds(1e-6);
  EXPECT_GE(product_time(ProductWay::gpus, 1, 1, of_one).total(), Seconds(2e-6));
  EXPECT_EQ(product_time(ProductWay::messages, 1, 1, of_one).launches, Seconds(0));
}

TEST(SharedMemory, gpus_also_copy_from_and_to_their_hosts) {
  EXPECT_DOUBLE_EQ(product_time(ProductWay::gpus, 1000, 1, costs()).copies.value, 2.4e-3);
  EXPECT_DOUBLE_EQ(product_time(ProductWay::gpus, 1000, 4, costs()).copies.value, 1.2e-3);
  const Result r = answer({{"n", "8192"}}, gpu_named("h200"));
  EXPECT_EQ(table_of(r, rows).rows(), 3u);
  EXPECT_EQ(table_of(answer({}), rows).rows(), 2u) << "without a GPU none is there";
}

TEST(SharedMemory, one_process_is_as_fast_as_itself) {
  for (const ProductWay way : {ProductWay::shared_memory, ProductWay::messages, ProductWay::gpus})
    EXPECT_EQ(product_speedup(way, 1000, 1, costs()), 1);
  const Result r = answer({{"processes", "1"}});
  EXPECT_EQ(number(r, scaling, "serial_fraction"), 0);
  EXPECT_TRUE(std::isnan(number(r, scaling, "amdahl_most")));
}

TEST(SharedMemory, no_processes_are_faster_than_their_number_nor_than_amdahls_law) {
  for (const char* p : {"2", "3", "10", "100", "1000", "100000"}) {
    const Result r = answer({{"n", "5000"}, {"processes", p}}, gpu_named("h200"));
    const Table &t = table_of(r, rows), &s = table_of(r, scaling);
    for (std::size_t row = 0; row < t.rows(); ++row) {
      EXPECT_LE(t.at("efficiency").number(row), 1 + 1e-12) << p;
      const double e = s.at("serial_fraction").number(row), n = t.at("processes").number(row);
      EXPECT_NEAR(1 / (e + (1 - e) / n) / t.at("speedup").number(row), 1, 1e-9) << "what e means";
      if (t.at("speedup").number(row) > 1) {
        EXPECT_GE(s.at("amdahl_most").number(row), t.at("speedup").number(row) * (1 - 1e-12));
      } else {
        EXPECT_TRUE(std::isnan(s.at("amdahl_most").number(row))) << "slower than one alone";
      }
      EXPECT_LE(s.at("gustafson").number(row), n + 1e-9);
    }
  }
}

TEST(SharedMemory, the_isoefficiency_is_the_fewest_rows_that_have_it) {
  for (const ProductWay way : {ProductWay::shared_memory, ProductWay::messages})
    for (const double p : {2.0, 7.0, 64.0, 1000.0})
      for (const double e : {0.1, 0.5, 0.9}) {
        const double n = rows_for_efficiency(way, p, e, costs());
        EXPECT_GE(product_speedup(way, n, p, costs()) / p, e);
        for (double fewer = n - 1; fewer >= std::max(1.0, n - 3 * p); --fewer)
          EXPECT_LT(product_speedup(way, fewer, p, costs()) / p, e) << fewer << " of " << n << " rows";
      }
  // Grama et al.: where the overhead is p t, n^3 must grow as p^2: ten times the processes, 10^(2/3) the
  // rows.
  const double ratio = rows_for_efficiency(ProductWay::shared_memory, 100000, 0.5, costs()) /
                       rows_for_efficiency(ProductWay::shared_memory, 10000, 0.5, costs());
  EXPECT_GE(ratio, 4.6);
}

TEST(SharedMemory, terms_add_up_to_the_time) {
  const Result r = answer({{"n", "3000"}, {"processes", "100000"}}, gpu_named("h200"));
  const Table &t = table_of(r, rows), &terms = table_of(r, "terms");
  for (std::size_t row = 0; row < t.rows(); ++row) {
    double sum = 0, share = 0;
    for (std::size_t i = 0; i < terms.rows(); ++i)
      if (terms.at("way").text(i) == t.at("way").text(row))
        sum += terms.at("term_time").number(i), share += terms.at("share").number(i);
    EXPECT_NEAR(sum / t.at("time").number(row), 1, 1e-12);
    EXPECT_NEAR(share, 1, 1e-12);
  }
  EXPECT_GE(table_of(r, "assumptions").rows(), 7u);
}

TEST(SharedMemory, what_was_not_given_is_assumed_and_nonsense_refused) {
  EXPECT_EQ(ask_graded("shared-memory", Gpu{}, {}).grade, Grade::assumed);
  EXPECT_EQ(error_of([] { answer({{"processes", "1e7"}}); }), "--processes 1e+07: 1e+06 at most");
  EXPECT_EQ(error_of([] { answer({{"efficiency", "1"}}); }), "--efficiency 1: a share below one is expected");
}

} // namespace perfmodel::shared_memory_test
