// validate: which rows, on what facts, and what is said of them.
#include "own_database.hpp"

#include "cli/format.hpp"
#include "hwdb/database.hpp"
#include "hwdb/measured.hpp"
#include "hwdb/result_file.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::validate_test {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Words, whatever the lines are that they stand on.
std::string in_one_line(std::string text) {
  text.erase(std::unique(text.begin(), text.end(),
                         [](char a, char b) { return std::isspace(a) != 0 && std::isspace(b) != 0; }),
             text.end());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// The committed run of the H200 with these probes alone, as a user measures them anew.
std::string fresh_run(const Scratch& scratch, const std::vector<std::string>& probes) {
  Record run = hwdb::read_run(hwdb::default_folder() / "measured/h200/run.json");
  std::erase_if(run.measurements, [&](const Measurement& m) {
    return std::find(probes.begin(), probes.end(), m.probe) == probes.end();
  });
  write(scratch / "fresh.json", hwdb::to_json(run));
  return scratch / "fresh.json";
}

TEST(Validate, what_was_hidden_stands_in_the_verdict) {
  const std::string hidden = "Hidden, as if never measured";
  EXPECT_EQ(perfmodel(words("validate --hw gtx480")).out.find(hidden), std::string::npos);
  for (const char* format : {"text", "json", "markdown"})
    EXPECT_NE(perfmodel(words("validate --hw gtx480 --hide barrier --format " + std::string(format)))
                  .out.find(hidden),
              std::string::npos)
        << format;
}

const std::string by_kept = "as predicted on ";

// What is printed by kept predictions, and whether it is what is computed.
class Kept {
public:
  explicit Kept(std::string gpu) : gpu_(std::move(gpu)) { EXPECT_FALSE(holds(asked("--keep").err, by_kept)); }
  Answer asked(const std::string& more) const {
    return database_.asked("validate --hw " + gpu_ + " " + more);
  }
  void expect_as_computed(const std::string& more) const {
    const Answer from_kept = asked(more), fresh = asked(more + " --fresh");
    EXPECT_TRUE(from_kept.err.starts_with(by_kept)) << more << ": " << from_kept.err;
    EXPECT_EQ(from_kept.err.substr(from_kept.err.find('\n') + 1), fresh.err) << more;
    EXPECT_EQ(from_kept.out, fresh.out) << more;
    EXPECT_EQ(from_kept.code, fresh.code) << more;
  }

private:
  OwnDatabase database_;
  std::string gpu_;
};

TEST(Validate, by_predictions_that_are_kept_is_what_would_be_computed) {
  const Kept gtx480("gtx480");
  for (const char* format : {"text", "json", "csv", "markdown", "latex"})
    for (const char* more : {" --summary", "", " --all", " --model occupancy,littles-law",
                             " --table 'littles-law threads'", " --table 2", " --table 'ledger: in-sample'"})
      gtx480.expect_as_computed(std::string("--format ") + format + more);
  // Another question is not answered by them.
  for (const char* other : {"--set dram.bandwidth=100GB/s", "--hide all", "--hide barrier", "--hide each"})
    EXPECT_FALSE(holds(gtx480.asked(other).err, by_kept)) << other;
  EXPECT_EQ(gtx480.asked("--hide all --keep").code, gtx480.asked("--hide all").code);
  gtx480.expect_as_computed("--hide all");
  EXPECT_NE(gtx480.asked("--hide all").out, gtx480.asked("").out);
}

// Rows that are blind, in-sample and of calibration, on facts and on estimates.
TEST(Validate, by_predictions_that_are_kept_is_each_model_that_is_asked_for_alone) {
  const Kept m2090("m2090");
  m2090.expect_as_computed("--format json");
  for (const char* model :
       {"divergence", "latency-hiding", "littles-law", "memory-parallelism", "reduction", "work-depth"})
    m2090.expect_as_computed(std::string("--format json --model ") + model);
}

TEST(Validate, of_some_models_is_the_whole_without_the_others) {
  const Answer all = perfmodel(words("validate --hw gtx480 --format csv")),
               some = perfmodel(words("validate --hw gtx480 --model occupancy,divergence --format csv"));
  for (const char* shown : {"# occupancy occupancy", "# divergence warp_steps"})
    EXPECT_TRUE(holds(some.out, shown)) << shown;
  EXPECT_TRUE(holds(all.out, "# littles-law"));
  EXPECT_FALSE(holds(some.out, "# littles-law"));
  for (const std::string& line : lines_of(some.out))
    EXPECT_TRUE(holds(all.out, line) || !holds(line, ",ok,")) << line; // all scored rows
  const Answer unknown = perfmodel(words("validate --hw gtx480 --model occupancies"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(holds(unknown.err, "occupancy")) << unknown.err;
  EXPECT_EQ(perfmodel(words("validate --hw gtx480 --model node")).code, 2);
}

TEST(Validate, a_table_of_one_comparison_is_computed_and_scored_alone) {
  const auto asked = [](const std::string& table, const std::string& format = "csv") {
    return perfmodel({"validate", "--hw", "gtx480", "--table", table, "--format", format});
  };
  const std::string json = perfmodel(words("validate --hw gtx480 --format json")).out;
  const Result all = hwdb::record_from_json(json, "stdout").result;
  const auto called = [&](const std::string& title) {
    return std::count_if(all.tables.begin(), all.tables.end(),
                         [&](const Table& t) { return t.title == title; });
  };
  std::size_t comparisons = 0;
  for (const Table& table : all.tables) {
    if (called(table.title) > 1) continue; // refused, as of any answer
    const Result one = hwdb::record_from_json(asked(table.title, "json").out, "stdout").result;
    EXPECT_EQ(cli::to_csv({.tables = one.tables}), cli::to_csv({.tables = {table}}));
    const bool is_comparison = table.find("predicted") != nullptr;
    comparisons += is_comparison;
    EXPECT_EQ(one.verdict == all.verdict, !is_comparison) << table.title << ": " << one.verdict.at(0);
  }
  EXPECT_GT(comparisons, 4u);
  EXPECT_EQ(asked("3").out, asked(all.tables[2].title).out);
  // A refusal lists tables by the numbers that they have in the whole.
  const std::string refused = asked("operand-bandwidth").err;
  for (std::size_t i = 0; i < all.tables.size(); ++i) {
    if (all.tables[i].title.rfind("operand-bandwidth", 0) != 0) continue;
    EXPECT_TRUE(holds(refused, fmt::format("{} '{}'", i + 1, all.tables[i].title))) << refused;
    break;
  }
  const Answer gain = perfmodel({"validate", "--hw", "m2090", "--fresh", "--table", "reduction total_gain"});
  EXPECT_TRUE(gain.err.starts_with("1 of 1 rows out of tolerance")) << gain.err;
  EXPECT_EQ(gain.code, 1);
}

// One table whatever the keys of the models are, as programs read it.
TEST(Validate, pairs_are_one_table_of_all_that_is_compared) {
  const Result all =
      hwdb::record_from_json(perfmodel(words("validate --hw m2090 --format json")).out, "a").result;
  std::size_t rows = 0;
  for (const Table& table : all.tables)
    if (table.find("predicted") != nullptr) rows += table.rows();
  const Answer a = perfmodel(words("validate --hw m2090 --pairs --format csv"));
  EXPECT_EQ(a.code, 1); // as without it
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(a.out))
    if (line.front() != '#') lines.push_back(line);
  EXPECT_EQ(lines.front(),
            "model,quantity,inputs,unit,predicted,measured,error,tolerance,verdict,evidence,grade,source");
  EXPECT_EQ(lines.size(), rows + 1);
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.rfind("reduction,time,version=interleaved;", 0) == 0 && holds(line, ",s,") &&
           holds(line, ",in-sample,") && holds(line, "published: R. Vuduc");
  }));
  for (const char* other : {"--summary", "--table=1"})
    EXPECT_EQ(perfmodel({"validate", "--hw", "m2090", "--pairs", other}).code, 2);
}

// Before anything is predicted, which takes minutes where it is not kept: no table has a number yet.
TEST(Validate, a_title_that_no_table_can_have_is_refused_at_once) {
  const auto refusal = [](const std::string& table, const std::string& more = "--fresh") {
    const Answer a = perfmodel({"validate", "--hw", "m2090", more, "--table", table});
    EXPECT_EQ(a.code, 2);
    EXPECT_TRUE(a.out.empty());
    return a.err;
  };
  EXPECT_TRUE(holds(refusal("reduction tme"), "there is no table 'reduction tme'"));
  EXPECT_TRUE(holds(refusal("gain"), "; the tables are 'reduction total_gain: ")) << refusal("gain");
  EXPECT_TRUE(holds(refusal("1000"), "there is no table '1000'"));
  EXPECT_TRUE(
      holds(refusal("reduction", "--summary"), "; the tables are 'classes of evidence', 'ledger: blind'"));
}

TEST(Validate, only_all_predictions_on_a_gpu_of_the_database_are_kept) {
  for (const char* line :
       {"validate --hw gtx480 --keep --model occupancy", "validate --hw gtx480 --keep --table 2",
        "validate --hw gtx480 --keep --hide each", "validate --hw gtx480 --summary --keep --hide barrier",
        "validate --hw gtx480 --summary --keep --set dram.bandwidth=100GB/s"}) {
    const Answer refused = perfmodel(words(line));
    EXPECT_EQ(refused.code, 2) << line;
    EXPECT_TRUE(one_sentence(refused.err)) << refused.err;
  }
}

// What the streams of partition-camping reach is predicted from what dram-read sustains: without that fact
// from the pins.
TEST(Validate, a_fresh_run_of_one_probe_keeps_the_committed_facts_of_the_others_and_says_which) {
  const Scratch scratch;
  const auto validated = [&](const std::vector<std::string>& probes) {
    return perfmodel(words("validate --hw h200 --format csv --measured " + fresh_run(scratch, probes)));
  };
  const Answer kept = validated({"partition-camping"}), own = validated({"partition-camping", "dram-read"});
  const std::string note = "The given run lacks these facts, which are those of the committed run: dram-read "
                           "(sustained.dram.read).";
  const auto text = [&](const std::vector<std::string>& probes) {
    return in_one_line(perfmodel(words("validate --hw h200 --measured " + fresh_run(scratch, probes))).out);
  };
  EXPECT_TRUE(holds(text({"partition-camping"}), note)) << text({"partition-camping"});
  EXPECT_FALSE(holds(text({"partition-camping", "dram-read"}), "committed run"));
  // The same predictions, line by line.
  const auto rows = [](const Answer& a) {
    std::vector<std::string> lines = lines_of(a.out);
    std::erase_if(lines,
                  [](const std::string& line) { return !holds(line, "in-sample") || !holds(line, ",ok"); });
    return lines;
  };
  EXPECT_GT(rows(kept).size(), 20u) << kept.out;
  EXPECT_EQ(rows(kept), rows(own));
}

TEST(Validate, the_summary_is_the_ledger_of_the_whole) {
  const auto ledger = [](const std::string& out) { return out.substr(out.find("# classes of evidence")); };
  const Answer whole = perfmodel(words("validate --hw m2090 --format csv --fresh")),
               summary = perfmodel(words("validate --hw m2090 --summary --format csv --fresh"));
  const std::string all = ledger(whole.out), alone = ledger(summary.out);
  EXPECT_EQ(alone, all.substr(0, alone.size())) << "what was not scored comes after it";
  EXPECT_EQ(summary.code, whole.code);
  EXPECT_EQ(summary.err, whole.err);
  EXPECT_FALSE(holds(summary.out, "reduction time: ")) << summary.out;
  EXPECT_EQ(perfmodel(words("validate --hw m2090 --summary --hide each")).code, 2);
}

TEST(Validate, what_is_out_is_counted_class_by_class) {
  const Answer a = perfmodel(words("validate --hw gtx280 --fresh"));
  EXPECT_EQ(a.code, 1);
  const std::regex sentence("[0-9]+ of 26 rows out of tolerance \\(blind [0-9]+ of 3, in-sample [0-9]+ of "
                            "23\\); 3 of calibration not scored\n");
  EXPECT_TRUE(std::regex_match(a.err, sentence)) << a.err;
  EXPECT_TRUE(holds(a.out, "ledger: blind"));
  EXPECT_TRUE(holds(a.out, "ledger: in-sample"));
}

// 28 Gflop/s of a naive product on a GTX 260 count no word that a half-warp shares.
TEST(Validate, shows_what_a_lecture_got_wrong_and_all_cards_where_it_does_not_name_its_own) {
  const Answer a = perfmodel(words("validate --hw gtx260"));
  EXPECT_EQ(a.code, 1);
  const std::string text = in_one_line(a.out);
  EXPECT_TRUE(holds(text, "A slip of the source, not scored: 37.3 Gflop/s, 3 B per flop")) << text;
  for (const char* card : {"gtx260 ", "gtx280 ", "gtx260-192 ", "c1060 "})
    EXPECT_TRUE(holds(text, card)) << card;
  EXPECT_TRUE(holds(text, "of gtx260 and gtx280 the worse prediction is scored")) << text;
}

} // namespace perfmodel::validate_test
