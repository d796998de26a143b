// Programs of ranks: the lecture's, and random ones against two slow ways of doing the same that share no
// code with it: every order in which the ranks can go on (what is printed, who waits for ever), and the times
// as the least solution of their equations.
#include "models/parallel/rank_run.hpp"

#include "models/core/error.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace perfmodel::rank_run_test {

constexpr double us = 1e-6;

// 5 us of latency, as long a handshake, 10 GB/s, copies at 5 GB/s.
MessageCosts costs(SendMode sends = SendMode::synchronous) {
  return {.alpha = Seconds(5 * us),
          .handshake = Seconds(5 * us),
          .overhead = Seconds(1 * us),
          .lock = Seconds(2 * us),
          .beta = BytesPerSecond(10e9),
          .copying = BytesPerSecond(5e9),
          .sends = sends};
}

RankProgram shipped(const std::string& name) {
  std::ifstream in(PERFMODEL_SOURCE_DIR "/hwdb/programs/" + name + ".txt");
  return RankProgram::from_text(std::string(std::istreambuf_iterator<char>(in), {}));
}
RunOutcome run(std::string_view text, SendMode sends = SendMode::synchronous) {
  return run_ranks(RankProgram::from_text(text), costs(sends));
}
using Numbers = std::vector<std::int64_t>;
using Ranks = std::vector<std::size_t>;

// Giorgi, lesson 30, slide 6: "thread 1 prints 11".
TEST(RankRun, the_lectures_sum_prints_11) {
  const RunOutcome r = run_ranks(shipped("sum"), costs());
  EXPECT_EQ(r.ranks[0].printed, Numbers{11});
  EXPECT_TRUE(r.waits.empty());
  // Twice: 5 us of handshake, 5 us of latency, 4 B at 10 GB/s.
  EXPECT_DOUBLE_EQ(r.ranks[0].time.value, 2 * (10 * us + 0.4e-9));
}

// Slide 7.
TEST(RankRun, two_ranks_that_send_first_wait_for_each_other) {
  const RunOutcome r = run_ranks(shipped("two-sends"), costs());
  ASSERT_EQ(r.waits.size(), 2u);
  EXPECT_EQ(r.waits[0].for_ranks, Ranks{1});
  EXPECT_EQ(r.waits[1].for_ranks, Ranks{0});
  EXPECT_EQ(cycle_of(r.waits), (Ranks{0, 1}));
}

// Slide 7: "swap the pair in T2, or employ asynchronous message passing"; the latter is slide 8.
TEST(RankRun, they_end_when_one_pair_is_swapped_or_sends_are_buffered) {
  for (const RunOutcome& r : {run_ranks(shipped("two-sends-swapped"), costs()),
                              run_ranks(shipped("two-sends"), costs(SendMode::buffered)),
                              run_ranks(shipped("two-sends-asynchronous"), costs())}) {
    EXPECT_TRUE(r.waits.empty());
    EXPECT_EQ(r.ranks[0].printed, Numbers{5});
    EXPECT_EQ(r.ranks[1].printed, Numbers{10});
  }
}

TEST(RankRun, computation_hides_a_buffered_message_and_not_a_synchronous_one) {
  const char* text =
      "rank 0\n send 1 to 1 size 50kB\n compute 20us\nrank 1\n compute 20us\n receive x from 0\n";
  // The copy takes 1 us and 50 kB / 5 GB/s = 10 us, the message 5 us + 5 us: it is there at 21 us.
  EXPECT_DOUBLE_EQ(run(text, SendMode::buffered).ranks[1].time.value, 21 * us);
  EXPECT_DOUBLE_EQ(run(text, SendMode::buffered).ranks[0].time.value, 31 * us);
  // Both are there at 20 us; then 5 us of handshake, 5 us, 5 us; the sender computes after it.
  EXPECT_DOUBLE_EQ(run(text).ranks[1].time.value, 35 * us);
  EXPECT_DOUBLE_EQ(run(text).ranks[0].time.value, 55 * us);
}

// Slide 4: 1 + 2 + 3 + 4. Barriers of 4 ranks take 2 x 5 us, the locks 2 us one after the other.
TEST(RankRun, a_sum_under_a_lock_is_whole_and_the_locks_are_one_after_the_other) {
  const RunOutcome r = run_ranks(shipped("shared-sum"), costs());
  EXPECT_EQ(r.ranks[0].printed, Numbers{10});
  EXPECT_NEAR(r.ranks[0].time.value, (100 + 10 + 4 * 2 + 10) * us, 1e-15);
}

TEST(RankRun, who_waits_for_one_that_has_gone_is_in_no_circle) {
  const RunOutcome r = run("rank 0\n receive x from 1\nrank 1\n y = 1\n");
  ASSERT_EQ(r.waits.size(), 1u);
  EXPECT_EQ(r.waits[0].line, 2);
  EXPECT_TRUE(cycle_of(r.waits).empty());
  EXPECT_EQ(run("ranks 2\nrank 0\n barrier\n").waits[0].for_ranks, Ranks{1});
}

TEST(RankRun, locks_taken_in_two_orders_are_a_circle_and_so_is_a_lock_taken_twice) {
  const char* crossed = "rank 0\n lock a\n compute 9us\n lock b\nrank 1\n lock b\n compute 9us\n lock a\n";
  EXPECT_EQ(cycle_of(run(crossed).waits), (Ranks{0, 1}));
  EXPECT_EQ(cycle_of(run("rank 0\n lock a\n lock a\n").waits), Ranks{0});
  EXPECT_EQ(cycle_of(run("rank 0\n send 1 to 0\n receive x from 0\n").waits), Ranks{0});
}

TEST(RankRun, a_circle_is_found_where_others_wait_for_it) {
  const RunOutcome r = run("rank 0\n receive x from 1\nrank 1\n receive x from 2\nrank 2\n receive x from 3\n"
                           "rank 3\n receive x from 1\n");
  EXPECT_EQ(r.waits.size(), 4u);
  EXPECT_EQ(cycle_of(r.waits), (Ranks{1, 2, 3}));
}

TEST(RankRun, messages_of_one_tag_keep_their_order_and_tags_are_told_apart) {
  const RunOutcome r = run("rank 0\n send 1 to 1\n send 2 to 1\n send 3 to 1 tag 7\n"
                           "rank 1\n receive x from 0 tag 7\n print x\n receive x from 0\n print x\n",
                           SendMode::buffered);
  EXPECT_EQ(r.ranks[1].printed, (Numbers{3, 1}));
  EXPECT_EQ(r.ranks[0].unreceived, 1u);
}

TEST(RankRun, what_a_program_does_wrong_is_said_with_its_line) {
  const auto said = [](const char* text) { return error_of([&] { run(text); }); };
  EXPECT_EQ(said(""), "the program has no statements");
  EXPECT_EQ(said("x = 1"), "no 'rank 0' or 'rank all' says who runs the statements");
  EXPECT_EQ(said("rank all\n x = 1"), "'rank all' needs a line 'ranks N' that says how many");
  EXPECT_EQ(said("ranks 2\nrank 2\n x = 1"), "rank 2 is named, but there are 2 ranks, counted from 0");
  EXPECT_EQ(said("rank 0\n sned 1 to 0"), "line 2: unknown statement 'sned' (did you mean 'send'?)");
  EXPECT_EQ(said("rank 0\n send 1"), "line 2: 'to RANK' is missing");
  EXPECT_EQ(said("rank 0\n send 1 to 1"), "line 2: rank 0 names rank 1, but there are 1, counted from 0");
  EXPECT_EQ(said("rank 0\n x = x"), "line 2: rank 0 reads 'x' before it has a value");
  EXPECT_EQ(said("rank 0\n x = 1 / (rank)"), "line 2: rank 0: division by zero");
  EXPECT_EQ(said("rank 0\n rank = 1"), "line 2: 'rank' is no name of a variable");
  EXPECT_EQ(said("rank 0\n unlock l"), "line 2: rank 0 unlocks 'l', which it does not hold");
  EXPECT_NE(said("rank 0\n compute 3 B").find("line 2: "), std::string::npos);
  EXPECT_NE(said("rank 0\n print 1 +").find("line 2: "), std::string::npos);
  EXPECT_NE(said("ranks 1000000\nrank all\n x = 1").find("line 1: ranks: 1 to 1024"), std::string::npos);
}

} // namespace perfmodel::rank_run_test
