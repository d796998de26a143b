// What the model shows beside a mix: classes alone, their facts, advice, what a device cannot do, and the
// tables of the probes.
#include "models/concurrency/instruction_throughput.hpp"

#include "models/concurrency/instruction_class.hpp"
#include "models/concurrency/instruction_latency.hpp"
#include "models/core/what_if.hpp"
#include "models/validation/row_prediction.hpp"
#include "tests/models/concurrency/throughput_questions.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::instruction_throughput_test {

TEST(InstructionThroughputShown, one_class_is_shown_alone_with_its_facts) {
  InstructionThroughput::Input in;
  in.only = "popc";
  const Gpu gpu = with_facts(gpu_named("h200"), {{"latency.popc", "17"}});
  Recorder recorder;
  const auto machine = InstructionThroughput::machine(gpu, in, recorder);
  const auto& rows = std::get<0>(machine);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "popc");
  EXPECT_EQ(rows[0].cycles.value, 2);
  EXPECT_EQ(rows[0].latency.value, 17);
  std::string facts;
  for (const Step& step : recorder.derivation.steps)
    if (step.is_fact) facts += step.symbol + " ";
  EXPECT_NE(facts.find("throughput.popc latency.popc "), std::string::npos) << facts;
}

TEST(InstructionThroughputShown, a_class_that_was_set_is_among_the_facts_of_the_answer) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"throughput.popc", "8"}});
  Recorder recorder;
  InstructionThroughput::machine(gpu, {}, recorder);
  const auto& steps = recorder.derivation.steps;
  const auto has = [&](const char* symbol) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& s) { return s.symbol == symbol; });
  };
  EXPECT_TRUE(has("throughput.popc"));
  EXPECT_FALSE(has("throughput.shuffle"));
}

TEST(InstructionThroughputShown, a_latency_is_of_a_class_there_is_and_of_no_other) {
  std::set<const Key<Cycles>*> seen;
  for (const InstructionClass& c : instruction_classes()) {
    const Key<Cycles>* key = latency_of(c);
    if (key != nullptr) {
      EXPECT_TRUE(seen.insert(key).second) << c.name;
    }
  }
  EXPECT_EQ(seen.size(), 43u); // as many as the probe measures
  EXPECT_EQ(latency_of(instruction_class("ffma")), &facts::fma_latency);
  EXPECT_EQ(latency_of(instruction_class("sts")), nullptr);
}

TEST(InstructionThroughputShown, advice_comes_from_facts) {
  Plain plain;
  const auto advice = [&](const char* name) {
    std::string topics;
    const auto machine = InstructionThroughput::machine(gpu_named(name), {}, plain);
    for (const auto& a : std::get<1>(machine)) topics += a.topic + "; ";
    return topics;
  };
  EXPECT_EQ(advice("gtx280"), "register banks; shared operands; not there; left out; ");
  EXPECT_EQ(advice("gtx460"), "dual issue; not there; left out; ");
  EXPECT_EQ(advice("h200"), "not there; ") << "what cc 1.x alone has, and Maxwell";
}

TEST(InstructionThroughputShown, what_a_device_cannot_do_is_said) {
  EXPECT_EQ(error_of([] { cycles(gpu_named("gtx280"), "shuffle:1"); }),
            "gtx280 has no units for 'throughput.shuffle' (results per clock and SM: warp shuffle): no warp "
            "shuffle before compute capability 3.0");
  EXPECT_EQ(
      error_of([] { cycles(gpu_named("8800gtx"), "dfma:1"); }),
      "8800gtx has no units for 'throughput.fp64_fma' (results per clock and SM: fp64 add, multiply, FMA): "
      "no double precision before compute capability 1.3");
  EXPECT_EQ(error_of([] { cycles(gpu_named("gtx280"), "popc:1"); }),
            "gtx280 has no fact 'throughput.popc' (results per clock and SM: population count, count leading "
            "zeros): add it to hwdb/gpus/gtx280.yaml, or give --set throughput.popc=VALUE");
  EXPECT_EQ(error_of([] { mix(gpu_named("h200"), input("ffma", 1, "iad:1")); }),
            "--overhead: unknown instruction class 'iad' (did you mean 'iadd'?)");
}

TEST(InstructionThroughputShown, a_class_without_a_mix_is_shown_alone) {
  const Gpu gpu = gpu_named("h200");
  InstructionThroughput::Input in;
  in.only = "udiv";
  const InstructionThroughput::Mix alone = mix(gpu, in);
  EXPECT_EQ(alone.mix, "udiv:1");
  EXPECT_EQ(alone.overhead, "none");
  EXPECT_EQ(alone.cycles.value, 6);
  in.only = "fdiv";
  EXPECT_TRUE(std::get<0>(tables(gpu_named("gtx280"), in)).empty()) << "its rate is known, no instructions";
  EXPECT_EQ(
      error_of([] { cycles(gpu_named("gtx280"), "fdiv:1"); }),
      "--mix: 'fdiv' is several instructions, and the fact 'functions' of this GPU does not say which: count "
      "those");
}

// The keys and the value that the probes write.
TEST(InstructionThroughputShown, the_tables_of_the_probes_are_predicted_row_by_row) {
  const auto words = [](const char* name, std::vector<std::string> cells) {
    return Column{.name = name, .role = Role::key, .cells = std::move(cells)};
  };
  const auto value = [](const char* name, double v) {
    return Column{.name = name, .role = Role::measured, .cells = std::vector<double>{v}};
  };
  const Model& m = model("instruction-throughput");
  const Gpu gpu = free_of(gpu_named("h200"), {"issue.queued_special", "issue.queued_shared"});
  Series mixes{.gpu = "h200", .model = "instruction-throughput", .place = "here", .value = "mix_cycles"};
  mixes.table.columns = {words("mix", {"ffma:8,lds:2"}),
                         Column{.name = "unroll", .role = Role::key, .cells = std::vector<std::int64_t>{2}},
                         words("overhead", {"uadd:1,compare:1,branch:1"}), value("mix_cycles", 3)};
  EXPECT_TRUE(covers(m, mixes));
  EXPECT_EQ(RowPredictions(gpu).of(m, mixes, 0).value, (10 + 3 / 2.0) / 4);
  Series rates{.gpu = "h200", .model = "instruction-throughput", .place = "here", .value = "throughput"};
  rates.table.columns = {words("class", {"rcp"}), value("throughput", 15.9)};
  EXPECT_TRUE(covers(m, rates));
  EXPECT_EQ(RowPredictions(gpu).of(m, rates, 0).value, 16);
}

} // namespace perfmodel::instruction_throughput_test
