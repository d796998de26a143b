// The register of slips: each entry's command shows the right value, and the answers that meet it say so.
#include "program.hpp"

#include "cli/slips.hpp"

#include <gtest/gtest.h>

namespace perfmodel::slips_test {

const std::vector<hwdb::Slip>& slips() {
  static const hwdb::Database shipped(hwdb::default_folder());
  return shipped.slips();
}

// Lines of 100 columns break anywhere: words and one blank between them.
std::string flowing(const std::string& text) {
  std::string out;
  for (const std::string& word : words(text)) out += (out.empty() ? "" : " ") + word;
  return out;
}

// Every slip of the lectures and papers behind the models (hwdb/slips) by its name.
constexpr const char* promised[] = {"teaching-kit-2944",
                                    "verschelde-warp-order",
                                    "verschelde-12-blocks",
                                    "verschelde-4-blocks",
                                    "giorgi-3-blocks",
                                    "filipovic-l1-line",
                                    "vuduc-48-units",
                                    "vuduc-106-bytes",
                                    "vuduc-120-or-125",
                                    "vuduc-rounded-times",
                                    "vuduc-16m",
                                    "vuduc-slides-47-48",
                                    "vuduc-local-tid",
                                    "vuduc-version-2",
                                    "vuduc-volatile",
                                    "vuduc-lost-zero",
                                    "verschelde-endless-loop",
                                    "verschelde-two-passes",
                                    "verschelde-6-or-7",
                                    "giorgi-805-gflops",
                                    "giorgi-undefined-m",
                                    "giorgi-parallelism",
                                    "filipovic-sinf",
                                    "filipovic-broadcast",
                                    "filipovic-naive-transpose",
                                    "filipovic-768-threads",
                                    "filipovic-24-flops",
                                    "vuduc-640-hides",
                                    "filipovic-two-transfers",
                                    "filipovic-imul",
                                    "vuduc-unnamed-link",
                                    "giorgi-28-gflops",
                                    "giorgi-barriers",
                                    "vuduc-barrier-in-branch",
                                    "teaching-kit-t-or-p"};

TEST(Slips, hold_every_one_that_is_promised) {
  EXPECT_EQ(slips().size(), std::size(promised));
  for (const char* id : promised)
    EXPECT_TRUE(std::any_of(slips().begin(), slips().end(), [&](const hwdb::Slip& slip) {
      return slip.id == id;
    })) << id;
}

TEST(Slips, name_a_command_whose_output_shows_the_right_value) {
  for (const hwdb::Slip& slip : slips()) {
    const Answer a = perfmodel(quoted_words(slip.command));
    EXPECT_EQ(a.code, 0) << slip.id << ": " << slip.command << "\n" << a.err;
    EXPECT_NE(flowing(a.out).find(flowing(slip.shows)), std::string::npos)
        << slip.id << ": " << slip.command << " does not show '" << slip.shows << "':\n"
        << a.out;
  }
}

TEST(Slips, are_told_by_every_answer_that_meets_one) {
  for (const hwdb::Slip& slip : slips())
    for (const hwdb::SlipMet& met : slip.met) {
      std::vector<std::string> ask = quoted_words(met.ask);
      if (const auto format = std::find(ask.begin(), ask.end(), "--format"); format != ask.end())
        ask.erase(format, format + 2); // CSV has no place for notes
      const Answer a = perfmodel(ask);
      EXPECT_EQ(a.code, 0) << slip.id << ": " << met.ask << "\n" << a.err;
      EXPECT_NE(flowing(a.out).find("'perfmodel slips " + slip.id + "'"), std::string::npos)
          << slip.id << ": " << met.ask << " does not say it:\n"
          << a.out;
    }
}

// The command that shows a right value is one of the answers that say what was printed, where a model meets
// it.
TEST(Slips, are_told_where_they_are_met_and_nowhere_else) {
  for (const char* line :
       {"occupancy --hw c2050 --threads 128", "occupancy --hw h200 --threads 64",
        "occupancy --hw gtx280 --threads 64",
        "occupancy --hw c2050 --threads 64 --registers 63 --shared 20KiB", "warp --hw h200 --block 16x16",
        "warp --hw c2050 --block 8x8 --order x-slowest", "littles-law --hw h200", "coalescing --hw h200",
        "divergence --hw h200 --width 1000", "transfer --hw h200", "balance --hw h200",
        "instruction-throughput --hw h200", "matmul --hw h200 --version naive", "latency-hiding --hw h200",
        "work-depth --hw m2090 --n 2000", "roofline --hw gtx280 --intensity 0.25"}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 0) << line << "\n" << a.err;
    EXPECT_EQ(flowing(a.out).find("perfmodel slips "), std::string::npos) << line << ":\n" << a.out;
  }
}

// Several GPUs in one answer: the rows of the one that is not concerned do not count.
TEST(Slips, are_of_the_gpu_whose_rows_meet_them) {
  EXPECT_NE(perfmodel(words("occupancy --hw h200,c2050 --threads 64")).out.find("verschelde-12-blocks"),
            std::string::npos);
  EXPECT_EQ(perfmodel(words("occupancy --hw h200,gtx280 --threads 64")).out.find("perfmodel slips "),
            std::string::npos);
}

TEST(Slips, stand_in_json_and_markdown_too) {
  for (const char* format : {"json", "markdown"})
    EXPECT_NE(perfmodel({"occupancy", "--hw", "c2050", "--threads", "64", "--format", format})
                  .out.find("'perfmodel slips verschelde-12-blocks'"),
              std::string::npos)
        << format;
}

// A sweep whose rows nobody holds: 64 threads are neither among its first nor among its last rows.
TEST(Slips, are_told_of_any_row_of_a_long_sweep_in_every_format) {
  const std::vector<std::string> sweep =
      words("occupancy --hw c2050 --threads 1:1024 --registers 1:10 --shared 0");
  for (const char* more : {"", "--all", "--format json", "--format markdown"}) {
    const Answer a = perfmodel(sweep + words(more));
    EXPECT_EQ(a.code, 0) << more << "\n" << a.err;
    EXPECT_NE(flowing(a.out).find("'perfmodel slips verschelde-12-blocks'"), std::string::npos) << more;
    EXPECT_EQ(a.out.find("giorgi"), std::string::npos) << more;
  }
}

TEST(Slips, are_listed_by_name_and_by_model_in_every_format) {
  EXPECT_EQ(lines_of(perfmodel(words("slips --format csv")).out).size(), 3 * std::size(promised) + 3 + 3 + 2);
  const std::string one = perfmodel(words("slips vuduc-16m")).out;
  EXPECT_NE(one.find("16 777 216"), std::string::npos) << one;
  EXPECT_EQ(one.find("vuduc-48"), std::string::npos) << one;
  const std::string occupancy = perfmodel(words("slips --model occupancy --format markdown")).out;
  EXPECT_NE(occupancy.find("giorgi-3-blocks"), std::string::npos) << occupancy;
  EXPECT_EQ(occupancy.find("vuduc"), std::string::npos) << occupancy;
  EXPECT_EQ(perfmodel(words("slips --format json")).code, 0);
}

TEST(Slips, refuse_an_unknown_name_or_model_with_one_sentence) {
  const Answer name = perfmodel(words("slips vuduc-18m"));
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(one_sentence(name.err)) << name.err;
  EXPECT_NE(name.err.find("did you mean 'vuduc-16m'?"), std::string::npos) << name.err;
  const Answer model = perfmodel(words("slips --model ocupancy"));
  EXPECT_EQ(model.code, 2);
  EXPECT_NE(model.err.find("did you mean 'occupancy'?"), std::string::npos) << model.err;
  const Answer none = perfmodel(words("slips --model segment-rate"));
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(one_sentence(none.err)) << none.err;
}

} // namespace perfmodel::slips_test
