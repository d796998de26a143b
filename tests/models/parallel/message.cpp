#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::message_test {

constexpr const char* cost = "cost of a message";
constexpr const char* ways = "how it gets from memory to memory";

// 2 us and 10 GB/s.
Result answer(const Words& more) {
  Words words{{"latency", "2us"}, {"bandwidth", "10GB/s"}};
  words.insert(words.end(), more.begin(), more.end());
  return ask_graded("message", Gpu{}, words);
}

// Worked by hand: 20 kB take 2 us + 2 us; n(1/2) = 2 us x 10 GB/s = 20 kB, at 5 GB/s.
TEST(Message, of_alpha_beta_bytes_goes_at_half_the_bandwidth) {
  const Result r = answer({{"bytes", "20kB"}});
  EXPECT_DOUBLE_EQ(number(r, cost, "time"), 4e-6);
  EXPECT_DOUBLE_EQ(number(r, cost, "half_rate_bytes"), 20e3);
  EXPECT_DOUBLE_EQ(number(r, cost, "rate"), 5e9);
}

// LogGP: L + 2 o + (n - 1) G = 2 + 2 + 1999.9 ns; the handshake L + 2 o = 4 us more.
TEST(Message, has_loggps_time_and_a_rendezvous_costs_latency_and_overheads_once_more) {
  const Result r = answer({{"bytes", "20kB"}, {"overhead", "1us"}});
  EXPECT_DOUBLE_EQ(number(r, cost, "loggp_time"), 4e-6 + 19999 / 10e9);
  EXPECT_DOUBLE_EQ(number(r, cost, "time", 1) - number(r, cost, "time", 0), 4e-6);
}

// The next message may go after the gap, the overhead or the bytes, whichever is longest.
TEST(Message, messages_in_a_row_follow_one_another_at_the_gap) {
  const auto row = [](const char* gap, const char* bytes) {
    return number(answer({{"bytes", bytes}, {"messages", "11"}, {"overhead", "1us"}, {"gap", gap}}), cost,
                  "all_messages");
  };
  EXPECT_DOUBLE_EQ(row("3us", "1B"), 4e-6 + 10 * 3e-6);
  EXPECT_DOUBLE_EQ(row("0.5us", "1B"), 4e-6 + 10 * 1e-6);
  EXPECT_NEAR(row("0.5us", "20kB"), 6e-6 + 10 * 2e-6, 1e-9);
  EXPECT_TRUE(std::isnan(number(answer({}), cost, "all_messages")));
}

TEST(Message, computation_beside_a_non_blocking_send_costs_the_longer_of_both) {
  const auto both = [](const char* compute, std::size_t row) {
    return number(answer({{"bytes", "20kB"}, {"compute", compute}}), "beside a computation", "both", row);
  };
  EXPECT_DOUBLE_EQ(both("10us", 0), 14e-6);
  EXPECT_DOUBLE_EQ(both("10us", 1), 10e-6);
  EXPECT_DOUBLE_EQ(both("1us", 1), 4e-6);
  // Longer than the eager limit: by rendezvous.
  const Result r = answer({{"bytes", "20kB"}, {"compute", "1us"}, {"eager-limit", "4kB"}});
  EXPECT_DOUBLE_EQ(number(r, "beside a computation", "both"), 7e-6);
  EXPECT_EQ(text(r, cost, "used", 0) + text(r, cost, "used", 1), "noyes");
}

// Giorgi, slide 10, with a copy of 20 kB at 10 GB/s (2 us) and system calls of 1 us on each side.
TEST(Message, copies_and_system_calls_add_on_both_sides_and_zero_copy_adds_nothing) {
  const Result r = answer({{"bytes", "20kB"}, {"copy", "10GB/s"}, {"system-call", "1us"}});
  const Table& t = table_of(r, ways);
  const auto of = [&](const char* method, const char* column) {
    return t.at(column).number(row_of(t, "method", method));
  };
  EXPECT_DOUBLE_EQ(of("processor", "end_to_end"), 8e-6);
  EXPECT_DOUBLE_EQ(of("operating-system", "end_to_end"), 10e-6);
  EXPECT_DOUBLE_EQ(of("operating-system", "processor_time"), 3e-6);
  EXPECT_DOUBLE_EQ(of("dma", "end_to_end"), 6e-6);
  EXPECT_DOUBLE_EQ(of("message-processor", "end_to_end"), 10e-6);
  EXPECT_TRUE(std::isnan(of("message-processor", "processor_time"))) << "of the processor that computes";
  EXPECT_DOUBLE_EQ(of("zero-copy", "end_to_end"), 4e-6);
}

TEST(Message, what_was_not_given_is_assumed_and_says_so) {
  EXPECT_EQ(ask_graded("message", Gpu{}, {}).grade, Grade::assumed);
  const Result given = answer({{"copy", "10GB/s"}, {"system-call", "1us"}});
  EXPECT_EQ(given.grade, Grade::known);
  EXPECT_TRUE(given.constants.empty());
  EXPECT_EQ(text(answer({}), cost, "grade"), "known") << "it rests on what was given";
  EXPECT_EQ(text(answer({}), ways, "grade"), "assumed");
}

TEST(Message, a_programs_verdict_names_the_circle_or_what_is_printed) {
  const auto said = [](const char* program) { return answer({{"program", program}}).verdict.front(); };
  EXPECT_EQ(said("rank 0\n send 1 to 1\n receive x from 1\nrank 1\n send 2 to 0\n receive x from 0\n"),
            "Deadlock: rank 0 waits for rank 1 (send, line 2), rank 1 waits for rank 0 (send, line 5).");
  EXPECT_EQ(said("rank 0\n compute 3us\n print 6 * 7\nrank 1\n x = 1"),
            "All 2 ranks end, the last after 3 us: rank 0 prints 42.");
  EXPECT_EQ(
      said("rank 0\n receive x from 1\nrank 1\n x = 1"),
      "1 of 2 ranks never ends, though none wait in a circle: rank 0 waits for rank 1 (receive, line 2), "
      "which has ended.");
  EXPECT_EQ(said("ranks 2\nrank 0\n bsend 1 to 1"),
            "All 2 ranks end, the last after 400 ps. Nobody receives 1 message.");
  EXPECT_EQ(error_of([] {
              answer({{"program", "rank 0\n what"}});
            }),
            "--program: line 2: unknown statement 'what'");
}

} // namespace perfmodel::message_test
