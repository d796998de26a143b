// A probe whose needs are not on the machine costs the others nothing. Of probes that are made up.
#include "cli/probe_runs.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::probe_runs_test {

using kernels::Probe;
using kernels::ProbeResult;

const Probe link{.name = "host-link", .order = 1}, sums{.name = "nccl-all-reduce", .order = 2},
    copies{.name = "transfer", .order = 3};

ProbeResult found(const Probe& probe) {
  ProbeResult result;
  result.probe = probe.name;
  return result;
}

// What is measured where the second has no second GPU.
ProbeResult on_one_gpu(const Probe& probe) {
  if (&probe == &sums) throw kernels::Unavailable("there is one GPU");
  return found(probe);
}

TEST(probe_runs, a_probe_that_lacks_something_is_left_out_and_the_others_are_kept) {
  const ProbeRuns runs = run_probes({&link, &sums, &copies}, on_one_gpu);
  ASSERT_EQ(runs.results.size(), 2u);
  EXPECT_EQ(runs.results[0].probe, "host-link");
  EXPECT_EQ(runs.results[1].probe, "transfer");
  EXPECT_EQ(runs.left_out, (std::vector<std::string>{"nccl-all-reduce: there is one GPU"}));
  EXPECT_EQ(runs.ended, nullptr);
}

TEST(probe_runs, a_run_of_which_nothing_is_left_says_why) {
  EXPECT_THROW(run_probes({&sums}, on_one_gpu), kernels::Unavailable);
}

TEST(probe_runs, a_failed_call_ends_the_run_and_keeps_what_was_measured_before) {
  const auto fails = [](const Probe& probe) {
    if (&probe == &sums) throw MachineError("an illegal address");
    return found(probe);
  };
  const ProbeRuns runs = run_probes({&link, &sums, &copies}, fails);
  ASSERT_EQ(runs.results.size(), 1u);
  EXPECT_EQ(runs.results[0].probe, "host-link");
  EXPECT_NE(runs.ended, nullptr);
  EXPECT_THROW(run_probes({&sums, &link}, fails), MachineError);
}

} // namespace perfmodel::cli::probe_runs_test
