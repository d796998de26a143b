// What `-o` draws where nobody said what: no chart of one bar, what was asked for, a bar for each of many
// GPUs.
#include "program.hpp"

#include "models/default_sweeps.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace perfmodel::default_picture_test {

std::size_t marks_of(const std::string& svg) {
  std::size_t marks = 0;
  for (std::size_t at = svg.find("<g><title>"); at != std::string::npos; at = svg.find("<g><title>", at + 1))
    ++marks;
  return marks;
}

TEST(DefaultPicture, of_no_model_is_one_bar) {
  const Scratch scratch;
  for (const Model& model : models()) {
    if (model.info.chart == ChartKind::none) continue;
    const Answer a =
        perfmodel(small_question(model, "h200") + std::vector{std::string("-o"), scratch / "a.svg"});
    ASSERT_EQ(a.code, 0) << model.info.name << ": " << a.err;
    const std::string svg = contents(scratch / "a.svg");
    const Option* x = model.find(model.info.x);
    const bool line = default_sweep(model) && x->kind == OptionKind::number; // of words there are bars
    EXPECT_GT(marks_of(svg) + (line ? 1 : 0), 1u) << model.info.name;
    if (line) {
      EXPECT_EQ(std::regex_search(svg, std::regex("<rect [^>]*stroke=")), false)
          << model.info.name << " draws bars";
    }
  }
}

TEST(DefaultPicture, of_a_launch_shows_what_is_busy_and_names_the_kernel_as_it_is_written) {
  const Scratch scratch;
  const auto svg_of = [&](const std::string& more) {
    const Answer a = perfmodel(words("kernel axpy " + more + " -o") + std::vector{scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  const std::string one = svg_of("--hw h200 --let n=1048576");
  EXPECT_NE(one.find("What is busy while axpy runs"), std::string::npos);
  EXPECT_NE(one.find("block = 256</text>"), std::string::npos) << "the title ends before the arrays' bytes";
  EXPECT_NE(one.find(">L2</text>"), std::string::npos);
  EXPECT_EQ(one.find("_ZN9"), std::string::npos) << "mangled";
  EXPECT_EQ(svg_of("--hw h200,a100-80,v100,m2090 --let n=1048576").find("_ZN9"), std::string::npos);
}

TEST(DefaultPicture, of_a_view_of_a_launch_shows_what_the_view_does) {
  const Scratch scratch;
  const auto svg_of = [&](const std::string& view) {
    const Answer a = perfmodel(words("kernel vector-copy --hw h200 --grid 1024 --view " + view + " -o") +
                               std::vector{scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  const std::string stalls = svg_of("stalls"), gains = svg_of("what-if"), all = svg_of("all");
  EXPECT_NE(stalls.find("Why warps of vcopy do not issue"), std::string::npos);
  EXPECT_NE(stalls.find("long scoreboard"), std::string::npos);
  EXPECT_NE(gains.find("What would help vcopy"), std::string::npos);
  EXPECT_NE(gains.find("all loads hit L2"), std::string::npos);
  EXPECT_NE(all.find("What is busy while vcopy runs"), std::string::npos);
}

// Giorgi's 183.9 Gflop/s are of "a GT200", which a GTX 260 is.
TEST(DefaultPicture, has_what_was_printed_of_a_card_without_a_name_on_each_that_it_may_be) {
  const Scratch scratch;
  const Answer a =
      perfmodel(words("matmul --hw gtx260 --version tiled --published -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(contents(scratch / "a.svg").find("published tiled, 183.9 Gflop/s"), std::string::npos);
}

TEST(DefaultPicture, names_every_gpu_of_a_ranking) {
  const Scratch scratch;
  const Answer a = perfmodel(words("rank --flops 1Tflop --bytes 1GB -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  const Answer list = perfmodel(words("rank --flops 1Tflop --bytes 1GB --format csv --table 1"));
  std::istringstream lines(list.out);
  std::string line;
  std::getline(lines, line);
  std::size_t gpus = 0;
  while (std::getline(lines, line)) {
    EXPECT_NE(svg.find(">" + line.substr(0, line.find(',')) + "</text>"), std::string::npos) << line;
    ++gpus;
  }
  EXPECT_GT(gpus, 20u);
}

// Every whole number of warps would be a line each.
TEST(DefaultPicture, of_occupancy_over_registers_has_a_few_usual_blocks) {
  const Scratch scratch;
  const std::string file = scratch / "registers.svg";
  const Answer a = perfmodel(words("occupancy --hw h200 --registers 16:128:4 -o " + file));
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(file);
  for (const char* block : {"threads 128", "threads 256", "threads 512", "threads 1024"})
    EXPECT_NE(svg.find(block), std::string::npos) << block;
  EXPECT_EQ(svg.find("threads 96"), std::string::npos);
  EXPECT_NE(svg.find(">registers<"), std::string::npos) << "along x";
}

// What a sine is off by nobody works out: its bound is promised.
TEST(DefaultPicture, of_a_column_without_a_number_is_of_the_one_beside_it) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& more) {
    const Answer a = perfmodel(words("accuracy --hw h200 " + more + " -o") + std::vector{scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  const std::string sines = drawn("--operation sinf,__sinf --argument 0.1,1");
  EXPECT_NE(sines.find(">bound [ulp]<"), std::string::npos);
  EXPECT_EQ(marks_of(sines), 4u);
  const std::string all = drawn("");
  EXPECT_NE(all.find(">ulp, bound [ulp]<"), std::string::npos) << "of multiply-adds it is worked out";
  EXPECT_EQ(marks_of(all), 6u) << "each operation has one or the other";
  EXPECT_EQ(marks_of(drawn("--operation sinf,__sinf --chart-x operation --chart-y ulp")), 0u)
      << "as asked for";
}

TEST(DefaultPicture, of_a_kernel_under_the_roofs_has_its_point) {
  const Scratch scratch;
  const Answer a = perfmodel(words("roofline --hw m2090 --precision fp32 --intensity 0.25 --kernel sum -o") +
                             std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_NE(svg.find(">sum</text>"), std::string::npos);
  EXPECT_EQ(svg.find("without a positive intensity"), std::string::npos);
}

TEST(DefaultPicture, of_a_point_that_was_asked_for_is_that_point) {
  const Scratch scratch;
  const auto svg_of = [&](const std::string& line) {
    const Answer a = perfmodel(quoted_words(line) + std::vector{std::string("-o"), scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  EXPECT_EQ(marks_of(svg_of("coalescing --hw h200 --stride 2")), 1u);
  // An expression takes the place of the stride that would be swept.
  EXPECT_EQ(marks_of(svg_of("coalescing --hw h200 --index '2*gid'")), 1u);
}

TEST(DefaultPicture, says_in_its_title_what_was_held_fixed) {
  const Scratch scratch;
  const Answer a =
      perfmodel(words("reduction --hw h200 --n 4096 --threads 512 -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(contents(scratch / "a.svg").find("threads = 512"), std::string::npos);
}

TEST(DefaultPicture, of_many_gpus_has_one_bar_for_each_in_the_order_of_their_years) {
  const Scratch scratch;
  const Answer a = perfmodel(words("balance --hw all -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "the picture of so many GPUs is of ceiling fp32 alone; --chart-x ceiling draws all\n");
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_NE(svg.find("2006 to 2025: ceiling = fp32, basis = spec"), std::string::npos);
  EXPECT_LT(svg.find(">8800gtx<"), svg.find(">m2090<"));
  EXPECT_LT(svg.find(">m2090<"), svg.find(">b200<"));
  // Of a ladder it is that of the fastest version.
  const Answer sums =
      perfmodel(words("reduction --n 4096 --hw year>=2017 -o") + std::vector{scratch / "b.svg"});
  EXPECT_NE(contents(scratch / "b.svg").find(", the fastest version of each: "), std::string::npos)
      << sums.err;
  // The fastest of the transposes is none that copies, and says so.
  const Answer transposes =
      perfmodel(words("transpose --n 64 --hw year>=2017&maker=nvidia -o") + std::vector{scratch / "b.svg"});
  EXPECT_EQ(transposes.err, "the picture of so many GPUs is of the fastest version of each alone; "
                            "--chart-x version draws all\n");
  EXPECT_EQ(contents(scratch / "b.svg").find("version = copy"), std::string::npos);
  for (const auto& [question, title] :
       {std::pair{"kernel axpy --let n=65536 --hw year>=2012&maker=nvidia", "Time of a launch on 24 GPUs"},
        std::pair{"instruction-throughput --hw year>=2012&maker=nvidia", "Instruction throughput of 24 GPUs"},
        std::pair{"suffix-sums --n 64 --blocks 10 --hw year>=2017&maker=nvidia",
                  "Suffix sums in a block of 17 GPUs, 2017 to 2025: version = two-barriers"}}) {
    const Answer one = perfmodel(words(std::string(question) + " -o") + std::vector{scratch / "c.svg"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_NE(contents(scratch / "c.svg").find(title), std::string::npos) << question;
  }
  // Columns that somebody chose are drawn as they are.
  EXPECT_EQ(perfmodel(words("balance --hw all --chart-x ceiling -o") + std::vector{scratch / "a.svg"}).err,
            "");
}

// Every GPU has a line of its own there, and 35 of them cannot be told apart.
TEST(DefaultPicture, of_many_gpus_has_bars_in_place_of_lines_that_no_two_share) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& question) {
    const Answer a = perfmodel(words(question + " --size column -o") + std::vector{scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  const Answer energy = perfmodel(words("energy --hw maker=nvidia -o") + std::vector{scratch / "b.svg"});
  EXPECT_EQ(energy.err, "the picture of so many GPUs is of the column best_efficiency alone; --chart-x "
                        "intensity draws all\n");
  for (const auto& [question, title, bars] :
       {std::tuple{"energy --hw maker=nvidia", "Best efficiency of 35 GPUs", 35},
        std::tuple{"energy --hw maker=nvidia --intensity 4", "Energy of 35 GPUs, 2006 to 2025", 35},
        std::tuple{"segment-rate --hw year>=2012&maker=nvidia", "Segment rate of 24 GPUs", 24},
        std::tuple{"partition-camping --hw year>=2012&maker=nvidia", "Partition camping of 24 GPUs", 24},
        std::tuple{"shared-memory --hw year>=2012&maker=nvidia", "way = gpus", 24},
        std::tuple{"occupancy --hw maker=nvidia --threads 256", "Occupancy of 35 GPUs", 35},
        std::tuple{"coalescing --hw maker=nvidia --stride 32", "Coalescing of 35 GPUs", 35}}) {
    const std::string svg = drawn(question);
    EXPECT_NE(svg.find(title), std::string::npos) << question;
    EXPECT_EQ(marks_of(svg), static_cast<std::size_t>(bars)) << question;
    EXPECT_NE(svg.find(">b200</text>"), std::string::npos) << question << ": of 35 every other name has room";
  }
  // Few GPUs, or a sweep that was asked for, are lines as before.
  EXPECT_EQ(drawn("energy --hw h200,a100-80").find("Best efficiency"), std::string::npos);
  EXPECT_EQ(drawn("segment-rate --hw maker=nvidia --segment 32B:256B:*2").find("Segment rate of"),
            std::string::npos);
}

TEST(DefaultPicture, of_many_gpus_draws_those_with_the_same_numbers_as_one) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& question) {
    const Answer a =
        perfmodel(words(question + " --hw all --size slide -o") + std::vector{scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_NE(a.err.find("GPUs with the same numbers are drawn as one"), std::string::npos) << a.err;
    return contents(scratch / "a.svg");
  };
  const std::string banks = drawn("bank-conflicts"); // 16 banks to a half-warp, 32 to a warp, and of 8 B
  EXPECT_NE(banks.find(">8800gtx and 4 more<"), std::string::npos);
  EXPECT_NE(banks.find(">gtx-titan and 2 more<"), std::string::npos);
  EXPECT_EQ(banks.find(">gtx280<"), std::string::npos);
  EXPECT_NE(drawn("work-depth").find(">8800gtx and 35 more, n = 1000. Source"), std::string::npos);
  // Two have their names in the legend, and of more the picture itself says who they are.
  const std::string littles = drawn("littles-law");
  EXPECT_NE(littles.find(">p100-pcie, p100<"), std::string::npos);
  for (const char* gpu : {"gtx-titan", "k20c", "gtx480", "a100-80", "h200", "rtx4090"})
    EXPECT_NE(littles.find(gpu), std::string::npos) << gpu;
  // Each by itself where somebody says so.
  const Answer each =
      perfmodel(words("bank-conflicts --hw all --chart-series gpu -o") + std::vector{scratch / "a.svg"});
  EXPECT_NE(contents(scratch / "a.svg").find(">gtx280<"), std::string::npos) << each.err;
}

} // namespace perfmodel::default_picture_test
