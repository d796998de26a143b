#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include "models/core/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::all_reduce_test {

constexpr const char* times = "time of an all-reduce";
constexpr const char* winners = "which wins where";

Result answer(const char* ranks, const char* bytes, const Words& more = {}) {
  Words words{{"ranks", ranks}, {"bytes", bytes}, {"latency", "5us"}, {"bandwidth", "450GB/s"}};
  words.insert(words.end(), more.begin(), more.end());
  return ask("all-reduce", Gpu{}, words);
}
double us(const Result& r, const char* algorithm) {
  const Table& t = table_of(r, times);
  return t.at("time").number(row_of(t, "algorithm", algorithm)) * 1e6;
}

// By hand for 4 ranks, 5 us and 450 GB/s: 6, 2 and 4 steps; 3/2, 2 and 3/2 of the bytes.
TEST(AllReduce, worked_by_hand_on_four_ranks) {
  const Result small = answer("4", "1kB");
  EXPECT_NEAR(us(small, "ring"), 30, 0.01);
  EXPECT_NEAR(us(small, "recursive-doubling"), 10, 0.01);
  EXPECT_NEAR(us(small, "rabenseifner"), 20, 0.01);
  EXPECT_NEAR(us(small, "tree"), 20, 0.01);
  const Result large = answer("4", "1GB");
  EXPECT_NEAR(us(large, "ring"), 3363, 0.5);
  EXPECT_NEAR(us(large, "recursive-doubling"), 4454, 0.5);
  EXPECT_NEAR(us(large, "rabenseifner"), 3353, 0.5);
  EXPECT_NEAR(us(large, "tree"), 8909, 0.5);
}

// Messages sent one by one, as each algorithm sends them, counted: not the formulas again.
struct Steps {
  double steps = 0, sent = 0; // one after the other; in vectors of n bytes
};
Steps counted(const std::string& algorithm, int p) {
  Steps s;
  const auto message = [&](double vectors) { ++s.steps, s.sent += vectors; };
  int power = 1;
  while (2 * power <= p) power *= 2;
  if (algorithm == "ring")
    for (int step = 0; step < 2 * (p - 1); ++step) message(1.0 / p);
  if (algorithm == "tree") // reduced and broadcast: every round halves those who have not the sum, rounded up
    for (int left = p; left > 1; left = (left + 1) / 2) message(1), message(1);
  if (algorithm == "recursive-doubling" || algorithm == "rabenseifner") {
    if (power < p) message(1), message(1);
    double part = 1;
    for (int distance = 1; distance < power; distance *= 2)
      if (algorithm == "rabenseifner")
        part /= 2, message(part), message(part); // reduce-scatter, and the same way back
      else
        message(1);
  }
  return s;
}

TEST(AllReduce, sends_what_counting_its_messages_gives_for_any_number_of_ranks) {
  for (int p = 2; p <= 70; ++p) {
    const Result r = answer(std::to_string(p).c_str(), "90MB");
    const Table& t = table_of(r, times);
    for (const char* a : {"ring", "recursive-doubling", "rabenseifner", "tree"}) {
      const Steps s = counted(a, p);
      EXPECT_EQ(t.at("steps").number(row_of(t, "algorithm", a)), s.steps) << a << " " << p;
      EXPECT_NEAR(us(r, a), s.steps * 5 + s.sent * 200, 1e-6) << a << " " << p;
    }
  }
}

TEST(AllReduce, winners_follow_one_another_and_are_the_fastest_inside_of_their_bounds) {
  for (const char* p : {"2", "3", "4", "6", "8", "64", "100"}) {
    const Table won = table_of(answer(p, "1MB"), winners);
    EXPECT_TRUE(std::isnan(won.at("from_bytes").number(0)));
    EXPECT_TRUE(std::isnan(won.at("to_bytes").number(won.rows() - 1)));
    for (std::size_t row = 0; row < won.rows(); ++row) {
      const double from = row == 0 ? 1 : won.at("from_bytes").number(row);
      const double to = row + 1 == won.rows() ? from * 100 + 1e6 : won.at("to_bytes").number(row);
      if (row + 1 < won.rows()) {
        EXPECT_EQ(to, won.at("from_bytes").number(row + 1)) << p;
      }
      const Result inside = answer(p, std::to_string(std::sqrt(from * to)).c_str());
      const Table& t = table_of(inside, times);
      EXPECT_NEAR(t.at("of_fastest").number(row_of(t, "algorithm", won.at("fastest").text(row))), 1, 1e-9)
          << p;
    }
  }
}

// Rabenseifner has fewer steps than the ring and sends as much on a power of two; else folding costs it two
// vectors more.
TEST(AllReduce, the_ring_wins_long_vectors_only_where_ranks_are_no_power_of_two) {
  const auto last = [](const char* p) {
    const Table won = table_of(answer(p, "1MB"), winners);
    return won.at("fastest").text(won.rows() - 1);
  };
  EXPECT_EQ(last("8"), "rabenseifner");
  EXPECT_EQ(last("6"), "ring");
}

TEST(AllReduce, adding_costs_what_is_added) {
  // Ring: 3/4 of 1 GB at 300 GB/s is 2.5 ms; doubling adds twice the whole: 6.667 ms.
  const Result without = answer("4", "1GB"), with = answer("4", "1GB", {{"reduction", "300GB/s"}});
  EXPECT_NEAR(us(with, "ring") - us(without, "ring"), 2500, 1e-6);
  EXPECT_NEAR(us(with, "recursive-doubling") - us(without, "recursive-doubling"), 6666.667, 1e-3);
}

// H200: 900 GB/s of NVLink in both directions; the M2090 has PCI Express alone.
TEST(AllReduce, a_gpu_gives_the_bandwidth_of_its_link_and_the_latency_stays_assumed) {
  const Result r = ask_graded("all-reduce", gpu_named("h200"), {{"ranks", "4"}, {"bytes", "1GB"}});
  EXPECT_NEAR(us(r, "ring"), 3363, 0.5);
  EXPECT_EQ(r.grade, Grade::assumed);
  const Result old = ask("all-reduce", gpu_named("m2090"), {{"ranks", "2"}, {"bytes", "8GB"}});
  EXPECT_NEAR(us(old, "ring"), 1e6, 20) << "8 GB/s";
  EXPECT_EQ(ask_graded("all-reduce", gpu_named("h200"), {{"latency", "5us"}}).grade, Grade::known);
}

TEST(AllReduce, one_rank_has_nothing_to_send) {
  EXPECT_EQ(error_of([] { answer("1", "1kB"); }),
            "--ranks 1: one rank has its sum already, 2 or more are expected");
}

// 4 ranks, 4 kB: the ring sends 1 kB six times and adds 1 kB three times, doubling 4 kB twice.
TEST(AllReduce, where_costs_depend_on_the_size_each_step_is_taken_at_what_it_sends) {
  const Words costs{{"ranks", "4"},
                    {"bytes", "4kB"},
                    {"costs", "1kB:1us:1GB/s:10GB/s,2kB:3us:2GB/s:10GB/s,rest:5us:4GB/s"}};
  const Result r = ask("all-reduce", Gpu{}, costs);
  EXPECT_NEAR(us(r, "ring"), 6 * (1 + 1) + 3 * 0.1, 1e-6);
  EXPECT_NEAR(us(r, "recursive-doubling"), 2 * (5 + 1), 1e-6) << "adding is left out in the last piece";
  EXPECT_NEAR(us(r, "rabenseifner"), 2 * (3 + 1) + 0.2 + 2 * (1 + 1) + 0.1, 1e-6);
  EXPECT_NEAR(us(r, "tree"), 4 * (5 + 1), 1e-6);
}

TEST(AllReduce, one_piece_of_costs_is_what_alpha_beta_and_gamma_give) {
  for (const char* p : {"2", "3", "4", "6", "8", "100"})
    for (const char* bytes : {"8B", "100kB", "1GB"}) {
      const Result apart = answer(p, bytes, {{"reduction", "300GB/s"}});
      const Result one =
          ask("all-reduce", Gpu{}, {{"ranks", p}, {"bytes", bytes}, {"costs", "rest:5us:450GB/s:300GB/s"}});
      for (const char* a : {"ring", "recursive-doubling", "rabenseifner", "tree"})
        EXPECT_NEAR(us(one, a) / us(apart, a), 1, 1e-9) << p << " " << bytes << " " << a;
      const Table w = table_of(apart, winners), v = table_of(one, winners);
      ASSERT_EQ(w.rows(), v.rows());
      for (std::size_t row = 0; row + 1 < w.rows(); ++row) {
        EXPECT_EQ(w.at("fastest").text(row), v.at("fastest").text(row));
        EXPECT_NEAR(w.at("to_bytes").number(row) / v.at("to_bytes").number(row), 1, 1e-6);
      }
    }
}

TEST(AllReduce, costs_that_cannot_be_read_are_refused_in_a_sentence) {
  const auto said = [](const char* costs) {
    return error_of([&] { ask("all-reduce", Gpu{}, {{"costs", costs}}); });
  };
  EXPECT_EQ(said("2KiB:1us:1GB/s"), "--costs: the last piece is of the 'rest', as in rest:1.2us:9GB/s");
  EXPECT_EQ(said("2KiB:1us:1GB/s,1KiB:1us:1GB/s,rest:1us:1GB/s"),
            "--costs: the size of '1KiB:1us:1GB/s' is not above that before it");
  EXPECT_EQ(said("rest:1us:0GB/s"), "--costs: '0GB/s' is not above 0");
  EXPECT_EQ(said("rest:1us"), "--costs: 'rest:1us' is no piece such as 2KiB:0.4us:3GB/s:20GB/s (sizes up to, "
                              "alpha, beta, rate of adding)");
  EXPECT_NE(said("rest:1us:1GB/s,rest:1us:1GB/s"), "");
  EXPECT_NE(said("rest:1GB:1GB/s"), "");
  EXPECT_EQ(error_of([] {
              ask("all-reduce", Gpu{}, {{"costs", "rest:1us:1GB/s"}, {"latency", "1us"}});
            }),
            "--costs says alpha, beta and gamma of every size: --latency, --bandwidth, --reduction and "
            "--protocol do not go with it");
}

// Half of what LL sends are flags: 450 GB/s of an H200's NVLink carry 225.
TEST(AllReduce, a_protocol_that_nobody_measured_has_the_link_without_its_flags) {
  const auto longest = [](const char* protocol) {
    return us(ask("all-reduce", gpu_named("h200"),
                  {{"ranks", "2"}, {"bytes", "1TB"}, {"latency", "1us"}, {"protocol", protocol}}),
              "ring");
  };
  EXPECT_NEAR(longest("ll") / 1e12, 1 / 225e3, 1e-10);
  EXPECT_NEAR(longest("ll128") / 1e12, 1 / 421.875e3, 1e-10);
  EXPECT_NEAR(longest("simple") / 1e12, 1 / 450e3, 1e-10);
  EXPECT_EQ(error_of([] {
              ask("all-reduce", Gpu{}, {{"protocol", "ll"}});
            }),
            "--protocol is NCCL's, between GPUs: --hw says of which");
}

TEST(AllReduce, what_was_measured_of_a_protocol_is_taken) {
  Gpu gpu = gpu_named("h200");
  for (const auto& [path, value] : {std::pair{"nccl.ll.launch", 4e-6},
                                    {"nccl.ll.latency", 1e-6},
                                    {"nccl.ll.bandwidth", 100e9},
                                    {"nccl.ll.reduction", 200e9}})
    gpu = with_fact(std::move(gpu), path, value);
  // 4 us of launch, 6 steps of 1 us, 3/2 of 1 MB at 100 GB/s, 3/4 of it added at 200 GB/s.
  EXPECT_NEAR(us(ask("all-reduce", gpu, {{"ranks", "4"}, {"bytes", "1MB"}, {"protocol", "ll"}}), "ring"),
              4 + 6 + 15 + 3.75, 1e-6);
  // Two trees, each of half the bytes: up and down through two levels, the ring's bytes. One tree alone would
  // send all of them up and down, 4 + 4 + 2 x 2 x 10 us and what is added.
  EXPECT_NEAR(us(ask("all-reduce", gpu, {{"ranks", "4"}, {"bytes", "1MB"}, {"protocol", "ll"}}), "tree"),
              4 + 4 + 15 + 3.75, 1e-6);
  // Measured between two GPUs: that more of them keep as much each is taken to be so.
  const auto grade = [&](const char* ranks) {
    return ask_graded("all-reduce", gpu, {{"ranks", ranks}, {"bytes", "1MB"}, {"protocol", "ll"}}).grade;
  };
  EXPECT_EQ(grade("2"), Grade::known);
  EXPECT_EQ(grade("4"), Grade::assumed);
  // Both ways at once it carries less than one way.
  gpu = with_fact(std::move(gpu), "nccl.ll.exchange", 50e9);
  EXPECT_NEAR(us(ask("all-reduce", gpu, {{"ranks", "4"}, {"bytes", "1MB"}, {"protocol", "ll"}}), "ring"),
              4 + 6 + 30 + 3.75, 1e-6);
}

TEST(AllReduce, nccl_runs_on_no_fermi) {
  EXPECT_THROW(ask("all-reduce", gpu_named("m2090"), {{"protocol", "ll"}}), InputError);
  EXPECT_NO_THROW(ask("all-reduce", gpu_named("k40"), {{"protocol", "ll"}}));
}

} // namespace perfmodel::all_reduce_test
