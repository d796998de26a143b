#include "models/concurrency/pipes.hpp"

#include "models/concurrency/instruction_class.hpp"
#include "models/core/facts.hpp"
#include "models/core/what_if.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::pipes_test {

TEST(Pipes, a_class_runs_on_one_on_any_of_some_or_on_several_together) {
  const Pipes pipes("alu: iadd logic; heavy + lite: ffma ;heavy&lite: hfma2;");
  EXPECT_EQ(pipes.of("logic").pipes, PipeSet{"alu"});
  EXPECT_EQ(pipes.of("ffma").pipes, (PipeSet{"heavy", "lite"}));
  EXPECT_FALSE(pipes.of("ffma").together);
  EXPECT_EQ(pipes.of("hfma2").pipes, (PipeSet{"heavy", "lite"}));
  EXPECT_TRUE(pipes.of("hfma2").together);
  EXPECT_EQ(pipes.of("rcp").pipes, PipeSet{"rcp"}) << "one that is not named has a pipe of its own";
}

TEST(Pipes, only_sets_that_overlap_are_united) {
  const auto all = Pipes::unions({{"a", "b"}, {"b", "c"}, {"d"}, {"a", "b"}});
  EXPECT_EQ(std::set<PipeSet>(all.begin(), all.end()),
            (std::set<PipeSet>{{"a", "b"}, {"b", "c"}, {"a", "b", "c"}, {"d"}}));
}

// 128 lanes on both, 64 on the one: the other has the rest.
TEST(Pipes, lanes_follow_from_the_throughput_of_the_classes) {
  const Pipes pipes("heavy+lite: ffma; heavy: imad; alu: logic");
  const Gpu gpu = with_facts({.name = "toy"}, {{"throughput.fp32_fma", "128"}, {"throughput.int_mul", "64"}});
  EXPECT_EQ(pipes.ratio(gpu, {"heavy"}, {"heavy", "lite"}), 0.5);
  EXPECT_EQ(pipes.ratio(gpu, {"lite"}, {"heavy"}), 1);
  EXPECT_EQ(pipes.ratio(gpu, {"alu"}, {"alu"}), 1);
  EXPECT_EQ(pipes.ratio(gpu, {"alu"}, {"heavy"}), std::nullopt);
}

TEST(Pipes, a_wrong_text_gets_a_sentence) {
  EXPECT_EQ(error_of([] { Pipes("alu iadd"); }), "pipes: 'PIPE: CLASS CLASS' is expected, not 'alu iadd'");
  EXPECT_EQ(error_of([] { Pipes("alu: iaddd"); }),
            "unknown instruction class 'iaddd' (did you mean 'iadd'?)");
  EXPECT_EQ(error_of([] { Pipes("alu: iadd; fma: iadd"); }), "pipes: 'iadd' stands twice");
}

TEST(Pipes, of_every_gpu_can_be_read_and_their_lanes_told_apart) {
  for (const Gpu& gpu : every_nvidia_gpu()) {
    const Pipes pipes(gpu.at(facts::pipes).value);
    for (const InstructionClass& c : instruction_classes()) {
      const PipeSet set = pipes.of(c.name).pipes;
      if (c.throughput == nullptr || gpu.record(c.throughput->path) == nullptr) continue;
      for (const std::string& pipe : set) {
        const auto ratio = pipes.ratio(gpu, {pipe}, set);
        EXPECT_TRUE(ratio && *ratio > 0 && *ratio <= 1) << gpu.name << ": " << c.name << " on " << pipe;
      }
    }
  }
}

} // namespace perfmodel::pipes_test
