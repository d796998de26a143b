// The toy needs 1000 cycles x 100 GB/s / 1 GHz = 100 kB in flight, 25 000 threads of a word (Little's law).
#include "models/validation/hiding.hpp"

#include "tests/models/ask.hpp"

#include "models/machine/inherit.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::hiding_test {

const std::string of_latency = "memory-latency";

Series threads_needed(double measured) {
  return {.gpu = "toy",
          .model = "littles-law",
          .source = "ours",
          .quantity = "threads that fill the memory",
          .place = "run.json",
          .value = "memory_threads",
          .table = {.title = "threads",
                    .columns = {{.name = "word", .role = Role::key, .cells = std::vector<double>{4}},
                                {.name = "memory_threads",
                                 .role = Role::measured,
                                 .cells = std::vector<double>{measured}}}}};
}

Result worth(const Gpu& without, const Series& series) {
  return worth_of_probes(
      toy(), std::vector{of_latency}, [&](const std::string&) { return without; }, std::span(&series, 1));
}

TEST(HidingEach, a_family_gets_worse_by_the_error_of_what_is_inherited_and_says_so) {
  Gpu card = toy(), donor = with_facts(toy(), {{"dram.latency", "1500 cycle"}});
  card.architecture = donor.architecture = "9.0", donor.name = "donor";
  const std::vector<Gpu> donors{donor};
  const Gpu hidden = with_estimates(without_probes(card, std::vector{of_latency}, card), donors);
  const Result result = worth(hidden, threads_needed(25000));
  const Table& table = result.tables.at(0);
  ASSERT_EQ(table.rows(), 1u);
  EXPECT_EQ(table.at("probe").text(0), of_latency);
  EXPECT_EQ(table.at("model").text(0), "littles-law");
  EXPECT_NEAR(table.at("mean_error").number(0), 0, 1e-9);
  EXPECT_NEAR(table.at("rise").number(0), 0.5, 1e-9);
  EXPECT_EQ(table.at("on_estimates").number(0), 1);
  EXPECT_EQ(silent_rows(result), 0u);
  EXPECT_EQ(result.verdict.at(0),
            "Without one of 1 probe a family's mean error rises by at most 50.0 points "
            "(littles-law memory_threads without memory-latency); 0 rows are much worse and "
            "not graded as an estimate.");
}

// As if inheritance forgot to say so.
TEST(HidingEach, what_is_wrong_and_known_is_silent) {
  const Result result = worth(with_facts(toy(), {{"dram.latency", "2000 cycle"}}), threads_needed(25000));
  EXPECT_EQ(silent_rows(result), 1u);
  EXPECT_EQ(silent_rows(worth(with_facts(toy(), {{"dram.latency", "1080 cycle"}}), threads_needed(25000))),
            0u);
}

TEST(HidingEach, what_cannot_be_predicted_without_the_probe_is_lost) {
  Gpu lacking = toy();
  lacking.facts.erase("dram.latency");
  const Result result = worth(lacking, threads_needed(25000));
  EXPECT_EQ(result.tables.at(0).at("lost").number(0), 1);
}

TEST(HidingEach, asks_about_the_probes_that_found_a_fact_of_the_gpu) {
  const std::vector<std::string> probes = probes_that_found(toy());
  EXPECT_NE(std::find(probes.begin(), probes.end(), of_latency), probes.end());
  EXPECT_EQ(std::find(probes.begin(), probes.end(), "l2-latency"), probes.end());
}

} // namespace perfmodel::hiding_test
