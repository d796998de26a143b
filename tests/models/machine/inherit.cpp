// Estimates of costs that a GPU lacks: by hand-worked rules, and by hiding what is known of the H200.
#include "tests/models/ask.hpp"
#include "tests/small_problem.hpp"

#include "hwdb/measured.hpp"
#include "models/core/error.hpp"
#include "models/core/fact_readers.hpp"
#include "models/core/facts.hpp"
#include "models/machine/inherit.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

namespace perfmodel::inherit_test {

Gpu device(const char* name, const char* chip, const char* cc, const Words& facts) {
  Gpu gpu{.name = name, .title = name, .chip = chip, .architecture = cc, .file = std::string(name) + ".yaml"};
  return with_facts(std::move(gpu), facts);
}

// 10 SMs at 1 GHz, 100 GB/s of pins; and what was measured there.
Gpu donor(const char* chip, const char* cc) {
  return device("donor", chip, cc,
                {{"sm_count", "10"},
                 {"clock", "1 GHz"},
                 {"dram.bandwidth", "100 GB/s"},
                 {"dram.type", "HBM3"},
                 {"barrier.latency", "12 cycle"},
                 {"l2.latency", "150 cycle"},
                 {"sustained.l2", "300 GB/s"},
                 {"sustained.dram.copy", "90 GB/s"}});
}

// 20 SMs at 2 GHz, 400 GB/s of pins, nothing measured.
Gpu bare(const char* chip, const char* cc, const char* memory = "HBM3") {
  return device(
      "bare", chip, cc,
      {{"sm_count", "20"}, {"clock", "2 GHz"}, {"dram.bandwidth", "400 GB/s"}, {"dram.type", memory}});
}

TEST(Inherit, carries_cycles_time_rates_and_shares_of_the_pins) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::barrier_latency).value, 12);        // as many cycles
  EXPECT_DOUBLE_EQ(gpu.cost(facts::l2_latency).value, 300);            // 150 ns
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_l2).value, 1.2e12);       // 30 B per SM and cycle
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_dram_copy).value, 360e9); // 90 % of the pins
  EXPECT_EQ(gpu.cost(facts::barrier_latency).grade, Grade::inherited);
  EXPECT_EQ(gpu.cost(facts::sustained_dram_copy).estimate->from,
            "donor: the same share of the pin bandwidth");
}

TEST(Inherit, an_operation_costs_energy_as_the_process_is_coarse) {
  const std::vector<Gpu> donors{
      with_facts(donor("GX100", "9.0"), {{"chip.process", "4"}, {"energy.fp32", "5 pJ/flop"}})};
  const Gpu gpu = with_estimates(with_facts(bare("FX10", "7.0"), {{"chip.process", "12"}}), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::energy_fp32).value, 15e-12);
  EXPECT_EQ(gpu.cost(facts::energy_fp32).grade, Grade::assumed);
}

// The lecture's GPU has the chip of the GTX 580, to which an energy roofline was fitted first.
TEST(Inherit, an_m2090_takes_the_energies_of_its_chip) {
  const Gpu gpu = measured_gpu("m2090");
  EXPECT_DOUBLE_EQ(gpu.cost(facts::energy_fp32).value, 99.7e-12);
  EXPECT_EQ(gpu.cost(facts::energy_fp32).grade, Grade::inherited);
}

TEST(Inherit, another_architecture_assumes_within_the_range_of_the_fact) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("FX10", "3.5", "GDDR5"), donors);
  const Gpu::Cost barrier = gpu.cost(facts::barrier_latency);
  EXPECT_EQ(barrier.grade, Grade::assumed);
  EXPECT_DOUBLE_EQ(barrier.value, 12);
  EXPECT_LE(barrier.low, barrier.value);
  EXPECT_GE(barrier.high, barrier.value);
  EXPECT_EQ(gpu.cost(facts::sustained_dram_copy).grade, Grade::assumed);
  EXPECT_EQ(with_estimates(bare("FX10", "3.5", "HBM3"), donors).cost(facts::sustained_dram_copy).grade,
            Grade::inherited); // the same kind of memory
}

// 12 and 27 cycles: 18 is as many times the one as the other is of it.
TEST(Inherit, from_equally_near_gpus_it_is_their_mean_and_the_range_covers_them) {
  Gpu second = with_facts(donor("GX100", "9.0"), {{"barrier.latency", "27 cycle"}});
  second.name = "second";
  const std::vector<Gpu> donors{donor("GX100", "9.0"), second};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  const Gpu::Cost barrier = gpu.cost(facts::barrier_latency);
  EXPECT_NEAR(barrier.value, 18, 1e-9);
  EXPECT_LE(barrier.low, 12);
  EXPECT_GE(barrier.high, 27);
  EXPECT_EQ(barrier.estimate->from, "donor, second: the same");
}

TEST(Inherit, without_a_donor_it_is_the_middle_of_the_range) {
  const Gpu gpu = with_estimates(bare("FX10", "9.0"), {});
  const KeyInfo& key = info(facts::barrier_latency);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::barrier_latency).value, std::sqrt(key.assumed_low * key.assumed_high));
  EXPECT_FALSE(gpu.has_cost(facts::l2_latency_far)); // nothing is assumed of it
  EXPECT_THROW(gpu.cost(facts::l2_latency_far), InputError);
}

TEST(Inherit, what_the_hardware_does_not_have_is_not_estimated) {
  EXPECT_FALSE(with_estimates(bare("GT200", "1.3"), {}).has_cost(facts::sustained_l2));
  Gpu lacking = bare("FX10", "9.0");
  lacking.lacks.emplace("barrier.latency", "no barriers");
  EXPECT_FALSE(with_estimates(lacking, {}).has_cost(facts::barrier_latency));
}

TEST(Inherit, a_fact_goes_before_an_estimate_and_an_estimate_follows_what_it_scales_with) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  EXPECT_DOUBLE_EQ(with_facts(gpu, {{"clock", "1 GHz"}}).cost(facts::sustained_l2).value, 0.6e12);
  const Gpu set = with_facts(gpu, {{"sustained.l2", "2 TB/s"}});
  EXPECT_DOUBLE_EQ(set.cost(facts::sustained_l2).value, 2e12);
  EXPECT_EQ(set.cost(facts::sustained_l2).grade, Grade::known);
}

TEST(Inherit, what_was_fitted_stays_on_its_own_architecture) {
  Gpu fitted = donor("GX100", "2.0");
  fitted.facts.find("barrier.latency")->second.status = Status::fitted;
  const std::vector<Gpu> donors{fitted};
  EXPECT_EQ(with_estimates(bare("GX200", "2.0"), donors).cost(facts::barrier_latency).value, 12);
  EXPECT_NE(with_estimates(bare("GX200", "3.0"), donors).cost(facts::barrier_latency).value, 12);
}

TEST(Inherit, every_rule_scales_with_facts_and_every_range_has_its_reason) {
  for (const KeyInfo& key : all_keys()) {
    if (!std::isnan(key.assumed_low)) {
      EXPECT_LT(key.assumed_low, key.assumed_high) << key.path;
      EXPECT_GT(key.why.size(), 10u) << key.path;
      EXPECT_FALSE(key.scale.empty()) << key.path;
    }
    for (const std::string& gpu : database().names())
      EXPECT_EQ(key.why.find(gpu), std::string_view::npos) << key.path << ": a rule names no GPU";
  }
}

// An Apple M1 gets no cost of a GPU that it has nothing in common with, and gives none.
TEST(Inherit, an_architecture_without_a_compute_capability_neither_takes_nor_gives) {
  EXPECT_TRUE(gpu_named("apple-m1").estimates.empty());
  for (const Gpu& gpu : every_gpu())
    for (const auto& [path, estimate] : gpu.estimates)
      EXPECT_EQ(estimate.from.find("apple"), std::string::npos) << gpu.name << " " << path;
}

// The costs that a model reads, known or not, are there on every GPU or stand for hardware it lacks.
TEST(Inherit, no_gpu_lacks_a_cost_that_has_a_range) {
  for (const Gpu& gpu : every_gpu())
    for (const KeyInfo& key : all_keys()) {
      const bool has_none = gpu.capability() == 0 || std::isnan(key.assumed_low) ||
                            gpu.capability() < key.since || gpu.lacks.find(key.path) != gpu.lacks.end();
      const bool of_another = key.scale.find('.') != std::string_view::npos; // "register.banks"
      if (has_none || (of_another && !gpu.cost_of(key.scale))) continue;
      EXPECT_TRUE(gpu.cost_of(key.path).has_value()) << gpu.name << " " << key.path;
    }
}

Gpu h200() {
  Gpu gpu = database().gpu("h200");
  for (const auto& file : database().measured_files("h200"))
    gpu = with_constants(std::move(gpu), hwdb::constants_of(hwdb::read_run(file), file.filename().string()),
                         Over::everything);
  return gpu;
}

// An A100 of which everything is known: its own facts, and else what the rules carry over from the H200.
Gpu a100_like() {
  const std::vector<Gpu> donors{h200()};
  Gpu gpu = with_estimates(database().gpu("a100-80"), donors);
  for (const KeyInfo& key : all_keys())
    if (const auto cost = gpu.cost_of(key.path); cost && cost->grade != Grade::known)
      gpu = with_fact(std::move(gpu), key.path,
                      key.dimension == Dimension{} ? std::round(cost->value) : cost->value);
  gpu.name = "a100-like";
  return gpu;
}

struct Question {
  const char* model;
  Words inputs;
  const char* table;
  const char* column;
};

// A few of each family of the ledger.
const std::vector<Question>& questions() {
  static const std::vector<Question> all{
      {"reduction", {{"n", "4194304"}}, "versions", "time"},
      {"transpose", {{"n", "4096"}}, "versions", "time"},
      {"matmul", {{"n", "512"}}, "versions", "time"},
      {"pi", {}, "versions", "time"},
      {"suffix-sums", {}, "versions", "time"},
      {"coalescing", {{"stride", "8"}}, "", "bandwidth"},
      {"coalescing", {{"stride", "33"}}, "", "bandwidth"},
      {"memory-parallelism", {{"threads", "256"}, {"ilp", "2"}}, "", "bandwidth"},
      {"latency-hiding", {{"threads", "128"}, {"ilp", "2"}}, "", "of_peak"},
      {"segment-rate", {{"segment", "64"}}, "", "bandwidth"},
      {"bank-conflicts", {{"stride", "4"}}, "", "lone_cycles"},
      {"constant-cache", {}, "", "cycles"},
      {"littles-law", {}, "", "threads"},
      {"instruction-throughput", {{"mix", "fadd:2,fmul:2,iadd:4,imad:2,shift:1,rcp:1"}}, "", "mix_cycles"},
      {"instruction-throughput", {{"class", "fadd"}}, "", "throughput"},
      {"roofline", {{"basis", "measured"}, {"intensity", "1"}}, "kernels", "performance"},
  };
  return all;
}

// Numbers and grades of the answers, one after the other.
struct Answers {
  std::vector<double> numbers;
  std::vector<std::string> grades;
};

Answers answers_of(const Question& q, const Gpu& gpu) {
  Answers all;
  for (const Table& table : ask(q.model, gpu, q.inputs).tables) {
    const Column* column = table.find(q.column);
    if (column == nullptr) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      all.numbers.push_back(column->number(row));
      all.grades.push_back(table.at("grade").text(row));
    }
    break; // the rows that were asked about come first
  }
  return all;
}

// Whether the model reads what the probe finds.
bool read_by(std::string_view model, std::string_view probe) {
  for (const KeyInfo& key : all_keys())
    if (key.probe == probe && readers_of(key).find(model) != std::string_view::npos) return true;
  return false;
}

// Hiding a probe moves a family by more than 10 points only where its rows say that they rest on an estimate.
void hide_and_compare(const std::vector<Gpu>& donors, const std::vector<std::string>& probes) {
  const Gpu known = with_estimates(h200(), donors);
  const Gpu hidden = with_estimates(without_probes(known, probes, database().gpu("h200")), donors);
  static std::map<std::string, Answers> of_known; // whatever the donors: there is nothing to estimate
  for (const Question& q : questions()) {
    if (probes.front() != "all" && !read_by(q.model, probes.front())) continue;
    Answers& before = of_known[fmt::format("{}{}", q.model, q.inputs.empty() ? "" : q.inputs.front().second)];
    if (before.numbers.empty()) before = answers_of(q, known);
    Answers after;
    try {
      after = answers_of(q, hidden);
    } catch (const InputError&) {
      continue; // it refuses, and names what it lacks
    }
    ASSERT_EQ(before.numbers.size(), after.numbers.size()) << q.model;
    double moved = 0;
    std::size_t silent = 0;
    for (std::size_t i = 0; i < before.numbers.size(); ++i) {
      const double change = std::fabs(after.numbers[i] / before.numbers[i] - 1);
      moved += change / static_cast<double>(before.numbers.size());
      silent += change > 0.1 && after.grades[i] == "known";
    }
    EXPECT_EQ(silent, 0u) << q.model << " without " << probes.front();
    std::printf("%-20s without %-22s %6.1f %%  %s\n", q.model, probes.front().c_str(), 100 * moved,
                after.grades.empty() ? "" : after.grades.front().c_str());
  }
}

std::set<std::string> probes_of_costs() {
  std::set<std::string> probes;
  for (const KeyInfo& key : all_keys())
    if (!key.probe.empty()) probes.emplace(key.probe);
  return probes;
}

// Of two rates that no rule carries over, the data sheet prints one.
TEST(Hiding, what_no_rule_carries_over_is_what_the_files_say_or_missing) {
  const Gpu files = with_facts(donor("GX100", "9.0"), {{"throughput.int_add", "64"}});
  const Constant found[] = {{.path = "throughput.int_add", .value = 63, .probe = "instruction-rate"},
                            {.path = "throughput.rcp", .value = 15, .probe = "instruction-rate"}};
  const std::vector<std::string> rates{"instruction-rate"};
  const Gpu hidden = without_probes(with_constants(files, found, Over::everything), rates, files);
  EXPECT_EQ(hidden.at(facts::throughput_int_add).value.value, 64);
  EXPECT_EQ(hidden.record("throughput.rcp"), nullptr);
  EXPECT_EQ(without_probes(files, rates, files).at(facts::throughput_int_add).value.value, 64);
}

TEST(Hiding, one_probe_at_a_time_from_the_data_sheets_of_other_gpus) {
  std::vector<Gpu> donors;
  for (const std::string& name : database().names()) donors.push_back(database().gpu(name));
  for (const std::string& probe : probes_of_costs()) hide_and_compare(donors, {probe});
}

TEST(Hiding, all_probes_from_data_sheets) {
  std::vector<Gpu> donors;
  for (const std::string& name : database().names()) donors.push_back(database().gpu(name));
  hide_and_compare(donors, {"all"});
}

TEST(Hiding, all_probes_from_a_gpu_like_the_a100) { hide_and_compare({a100_like()}, {"all"}); }

// What each row is about, the GPU's name apart; of several about the same their number.
std::vector<std::string> keys_of(const Table& table) {
  std::map<std::string, int> seen;
  std::vector<std::string> all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string keys;
    for (const Column& column : table.columns)
      if (column.role == Role::key && column.name != "gpu") keys += column.text(row) + "; ";
    all.push_back(fmt::format("{}{}; ", keys, ++seen[keys]));
  }
  return all;
}

// Every number that both answers predict of the same, where a launch of b costs `launch` times that of a;
// returns how many.
std::size_t expect_near(const Result& a, const Result& b, double launch, double tolerance) {
  std::size_t compared = 0;
  for (const Table& of_a : a.tables)
    for (const Table& of_b : b.tables) {
      if (of_a.title != of_b.title) continue;
      const std::vector<std::string> keys_of_a = keys_of(of_a), keys_of_b = keys_of(of_b);
      for (std::size_t row = 0; row < of_a.rows(); ++row) {
        const auto at = std::find(keys_of_b.begin(), keys_of_b.end(), keys_of_a[row]);
        if (at == keys_of_b.end()) continue; // of what was measured on one of them alone
        const auto same = static_cast<std::size_t>(at - keys_of_b.begin());
        for (const Column& column : of_a.columns) {
          const Column* other = of_b.find(column.name);
          if (column.is_text() || column.role != Role::predicted || other == nullptr) continue;
          const double x = column.number(row), y = other->number(same);
          if (!std::isfinite(x) || !std::isfinite(y) || x == 0) continue;
          const double expected = at->find("; launches; ") != std::string::npos ? launch : 1;
          EXPECT_NEAR(y / x / expected, 1, tolerance)
              << a.model << ", " << of_a.title << ", " << *at << column.name;
          ++compared;
        }
      }
    }
  return compared;
}

// The issue of equal chips: the H100's, with the H200's memory and L2.
TEST(Inherit, equal_chips_with_equal_memory_agree) {
  const std::vector<Gpu> donors{h200()};
  Gpu like = database().gpu("h100-sxm");
  const Gpu known = with_estimates(h200(), donors);
  const auto of_memory = [](const std::string& path) {
    return path.rfind("dram.", 0) == 0 || path.rfind("l2.", 0) == 0 || path.rfind("sustained.dram", 0) == 0 ||
           path == "sustained.l2";
  };
  // What is not of the chip comes with them: the rates that a library reached, at a clock that power set. The
  // latency that others printed for the same shared memory goes.
  const auto is_set = [&](const std::string& path) {
    return of_memory(path) || path.starts_with("sustained.");
  };
  for (const KeyInfo& key : all_keys())
    if (is_set(std::string(key.path)) || key.path == facts::shared_latency.path) like.facts.erase(key.path);
  for (const auto& [path, record] : known.facts)
    if (is_set(path)) like.facts[path] = record;
  like = with_estimates(std::move(like), donors);
  for (const Question& q : questions()) {
    const Answers h200s = answers_of(q, known), h100s = answers_of(q, like);
    ASSERT_EQ(h200s.numbers.size(), h100s.numbers.size()) << q.model;
    for (std::size_t i = 0; i < h200s.numbers.size(); ++i)
      if (!std::isnan(h200s.numbers[i])) {
        EXPECT_NEAR(h100s.numbers[i] / h200s.numbers[i], 1, 0.1) << q.model << " row " << i;
      }
  }
  // And all that any other model predicts, asked for nothing in particular; the host's link is not the
  // chip's.
  std::size_t asked_for_more = 0;
  const double launch = like.cost_of("kernel.empty")->value / known.cost_of("kernel.empty")->value;
  for (const Model& m : models()) {
    if (m.info.gpu == GpuUse::none || m.info.name == "transfer") continue;
    const Words inputs = small_problem(m);
    try {
      EXPECT_GT(expect_near(ask(m.info.name, known, inputs), ask(m.info.name, like, inputs), launch, 0.1), 0u)
          << m.info.name;
    } catch (const InputError& e) {
      std::printf("%s: %s\n", std::string(m.info.name).c_str(), e.what());
      ++asked_for_more;
    }
  }
  EXPECT_LE(asked_for_more, 1u); // kernel, which is asked about a file
}

} // namespace perfmodel::inherit_test
