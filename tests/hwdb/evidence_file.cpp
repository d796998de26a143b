#include "hwdb/evidence_file.hpp"

#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include "hwdb/measured.hpp"
#include "models/core/model.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::evidence_file_test {

// Line 2 is the first constant, line 5 the first blind rows.
const std::string record = "own_constants:\n"
                           "  - {model: transpose, quantity: bandwidth, probe: run-copy, why: same tiles}\n"
                           "seen: [toy]\n"
                           "blind:\n"
                           "  - {gpu: toy, model: occupancy, why: a rule}\n"
                           "in_sample: [{gpu: new, model: coalescing, why: a fact without a rule}]\n";

std::string why_evidence(const std::string& text) {
  return error_of([&] { parse_evidence(text, "evidence.yaml"); });
}

TEST(EvidenceFile, is_read_with_everything_it_says) {
  const EvidenceRecord r = parse_evidence(record, "evidence.yaml");
  ASSERT_EQ(r.own_constants.size(), 1u);
  EXPECT_EQ(r.own_constants[0].model, "transpose");
  EXPECT_EQ(r.own_constants[0].quantity, "bandwidth");
  EXPECT_EQ(r.own_constants[0].probe, "run-copy");
  EXPECT_EQ(r.own_constants[0].why, "same tiles");
  EXPECT_EQ(r.seen, std::vector<std::string>{"toy"});
  ASSERT_EQ(r.blind.size(), 1u);
  EXPECT_EQ(r.blind[0].gpu + " " + r.blind[0].model, "toy occupancy");
  ASSERT_EQ(r.in_sample.size(), 1u);
  EXPECT_EQ(r.in_sample[0].gpu + " " + r.in_sample[0].model, "new coalescing");
}

TEST(EvidenceFile, what_is_missing_unknown_or_wrong_is_said_with_its_line) {
  EXPECT_EQ(why_evidence(with(record, "seen: [toy]\n", "")), "evidence.yaml:1: the file has no 'seen'");
  EXPECT_EQ(why_evidence(with(record, "model: transpose", "model: transpos")),
            "evidence.yaml:2: unknown model 'transpos' (did you mean 'transpose'?)");
  EXPECT_EQ(why_evidence(with(record, "quantity: bandwidth", "quantity: bandwith")),
            "evidence.yaml:2: the model 'transpose' has no quantity 'bandwith' (did you mean 'bandwidth'?)");
  for (const char* both : {"probe: run-copy, symbol: x", "symbol: x, input: y", "note: none"})
    EXPECT_NE(why_evidence(with(record, "probe: run-copy", both)), "") << both;
  EXPECT_EQ(why_evidence(with(record, "probe: run-copy", "probe: run-copy, symbol: x")),
            "evidence.yaml:2: one of 'probe', 'symbol' and 'input' is expected");
  EXPECT_EQ(why_evidence(with(record, "probe: run-copy", "input: tiles")),
            "evidence.yaml:2: the model 'transpose' has no input 'tiles'");
  EXPECT_EQ(why_evidence(with(record, "why: a rule", "wy: a rule")),
            "evidence.yaml:5: one of the rows has no 'why'");
  EXPECT_EQ(why_evidence(with(record, "seen:", "sene: 1\nseen:")),
            "evidence.yaml:3: the file has an unknown key 'sene' (did you mean 'seen'?)");
}

// A probe or a quantity that nobody has would make nothing semi-circular, or blind, without a word.
TEST(EvidenceFile, names_probes_and_quantities_that_the_committed_runs_have) {
  const EvidenceRecord r = database().evidence();
  ASSERT_FALSE(r.seen.empty());
  for (const std::string& gpu : r.seen) {
    std::vector<Series> series;
    std::vector<std::string> probes;
    for (const auto& file : database().measured_files(gpu)) {
      const Record& run = database().run(file);
      for (const Measurement& m : run.measurements) probes.push_back(m.probe);
      for (Series& s : series_of(run, "run")) series.push_back(std::move(s));
    }
    for (const OwnConstant& own : r.own_constants) {
      EXPECT_TRUE(own.probe.empty() || std::find(probes.begin(), probes.end(), own.probe) != probes.end())
          << own.probe;
    }
    for (const NamedRows& rows : r.blind) {
      if (rows.gpu != gpu) continue;
      EXPECT_TRUE(std::any_of(series.begin(), series.end(),
                              [&](const Series& s) {
                                return r.of(s.gpu, s.model, s.probe, s.value) == Evidence::blind &&
                                       (rows.model.empty() || rows.model == s.model) &&
                                       (rows.quantity.empty() || rows.quantity == s.value);
                              }))
          << rows.model << ' ' << rows.quantity;
    }
  }
}

} // namespace perfmodel::hwdb::evidence_file_test
