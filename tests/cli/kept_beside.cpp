// What stands beside an answer is predicted once: the database keeps it, of its own GPUs as they are.
#include "own_database.hpp"

#include <gtest/gtest.h>

namespace perfmodel::kept_beside_test {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(KeptBeside, an_answer_beside_what_is_published_is_the_same_by_predictions_that_are_kept) {
  const std::string questions[] = {"latency-hiding", "latency-hiding --threads 32",
                                   "latency-hiding --ilp 4 --all", "memory-parallelism --threads 1024 --all",
                                   "littles-law"};
  const auto asked = [](const OwnDatabase& database, const std::string& question) {
    return database.asked(question + " --hw m2090 --published");
  };
  const OwnDatabase database;
  std::vector<std::string> computed;
  for (const std::string& question : questions) computed.push_back(asked(database, question).out);
  database.asked("validate --hw m2090 --keep");
  for (const std::string& question : questions)
    EXPECT_EQ(asked(database, question).out, computed[static_cast<std::size_t>(&question - questions)]);
}

// 13.7 % of the peak with 32 threads and 4 chains, which the ledger is made to call 50 %.
TEST(KeptBeside, what_is_kept_is_not_asked_again_unless_the_question_is_another) {
  const OwnDatabase database;
  database.asked("validate --hw m2090 --keep");
  std::string ledger = contents(database.ledger_of("m2090"));
  const std::size_t at = ledger.find(" 0.1372");
  ASSERT_NE(at, std::string::npos);
  write(database.ledger_of("m2090"), ledger.replace(at, ledger.find(',', at) - at, " 0.5"));
  const auto predicted_half = [&](const std::string& more) {
    const Answer a = database.asked(
        "latency-hiding --hw m2090 --published --format csv --table 'latency-hiding of_peak' " + more);
    EXPECT_EQ(a.code, 0) << a.err;
    return holds(a.out, ",0.5,0.13,");
  };
  for (const char* same : {"", "--threads 32", "--threads 32 --ilp 4"})
    EXPECT_TRUE(predicted_half(same)) << same;
  EXPECT_FALSE(predicted_half("--set dram.bandwidth=100GB/s"));
}

// A disk that was full as it was written costs time, and no answer.
TEST(KeptBeside, what_is_torn_is_computed_again_and_said) {
  const OwnDatabase database;
  const std::string question = "latency-hiding --hw m2090 --published";
  const std::string computed = database.asked(question).out;
  database.asked("validate --hw m2090 --keep");
  for (const char* name : {"m2090", "m2090-errors"}) {
    const std::string ledger = contents(database.ledger_of(name));
    write(database.ledger_of(name), ledger.substr(0, ledger.size() / 2));
    for (const std::string& asked : {question, std::string("validate --hw m2090 --summary")}) {
      const Answer a = database.asked(asked);
      EXPECT_NE(a.code, 2) << asked << a.err;
      if (asked == question) {
        EXPECT_EQ(a.out, computed);
      }
      const bool reads_it = asked != question || name == std::string("m2090");
      EXPECT_EQ(holds(a.err, std::string(name) + ".json: this is no JSON"), reads_it) << asked << a.err;
    }
    write(database.ledger_of(name), ledger);
  }
}

// 640 operations in flight at a latency of 20 cycles, 1280 at 40; of several latencies the first counts.
TEST(KeptBeside, what_is_set_counts_beside_the_answer_too) {
  const OwnDatabase database;
  const auto asked = [&](const std::string& more) {
    return database.asked("littles-law --hw m2090 --published --format csv --table 'littles-law in_flight' " +
                          more);
  };
  EXPECT_TRUE(holds(asked("").out, ",640,640,"));
  EXPECT_TRUE(holds(asked("--set fma.latency=40cycle").out, ",1280,640,"));
  const Answer swept = asked("--set fma.latency=40cycle,30cycle");
  EXPECT_TRUE(holds(swept.out, ",1280,640,"));
  EXPECT_TRUE(holds(swept.err, "stands beside the first value of --set")) << swept.err;
}

} // namespace perfmodel::kept_beside_test
