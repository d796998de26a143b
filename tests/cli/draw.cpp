// --draw and --published: pictures of mechanisms, printed points in charts, and no chart of one bar.
#include "program.hpp"

#include "models/default_sweeps.hpp"
#include "models/drawings/drawings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace perfmodel::draw_test {

std::vector<std::string> question_of(const DrawingKind& kind) {
  const std::string model(kind.model), name(kind.name);
  std::vector<std::string> all{model, "--draw", name};
  if (model == "message") return all + words("--program ring");
  if (model == "reduction" && name == "timeline") return all + words("--hw h200 --version shuffle --n 65536");
  if (model == "pi") return all + words("--hw h200 --version sequential --n 65536");
  if (model == "suffix-sums") return all + words("--hw h200 --version warps");
  if (model == "transpose") return all + words("--hw h200 --version padded --n 512");
  if (model == "matmul") return all + words("--hw h200 --version tiled --n 256");
  all = all + words("--hw gtx280");
  if (name == "lanes") return all + std::vector<std::string>{"--path", "lane % 3"};
  if (model == "kernel") return words("kernel vector-copy --hw h200 --grid 264 --draw timeline");
  return all;
}

TEST(Draw, every_drawing_is_a_picture_at_every_size_and_in_every_theme) {
  const Scratch scratch;
  for (const DrawingKind& kind : drawings())
    for (const char* look :
         {"", "--size slide --theme dark", "--size column --theme print", "--title mine"}) {
      const Answer a =
          perfmodel(question_of(kind) + words(look) + std::vector{std::string("-o"), scratch / "a.svg"});
      ASSERT_EQ(a.code, 0) << kind.model << " " << kind.name << " " << look << ": " << a.err;
      EXPECT_NE(contents(scratch / "a.svg").find("<title>"), std::string::npos);
      EXPECT_EQ(contents(scratch / "a.svg").find("<title>mine") != std::string::npos,
                std::string(look) == "--title mine");
    }
}

TEST(Draw, every_drawing_is_a_table_where_no_picture_is_asked_for) {
  for (const DrawingKind& kind : drawings()) {
    const Answer a = perfmodel(question_of(kind) + words("--format csv"));
    ASSERT_EQ(a.code, 0) << kind.name << ": " << a.err;
    EXPECT_NE(a.out.find("shows"), std::string::npos) << kind.name;
  }
}

TEST(Draw, what_does_not_go_together_is_refused_in_a_sentence) {
  for (const auto& [line, sentence] :
       {std::pair{"reduction --hw m2090 --draw tre", "reduction has no drawing 'tre' (did you mean 'tree'?)"},
        {"reduction --hw m2090,h200 --draw tree", "--draw tree is of one GPU, not of 2"},
        {"reduction --hw m2090 --n 1000 --draw tree",
         "2 to 64 numbers can be seen in a picture, not --n 1000"},
        {"reduction --hw m2090 --draw tree --published", "--draw is a picture of its own"},
        {"coalescing --hw h200 --stride 1:3 --draw segments", "--stride has 3 values"},
        {"partition-camping --hw h200 --draw map", "hashed"},
        {"coalescing --hw h200 --draw segments --plot", "-o segments.svg draws it"}}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_NE(a.err.find(sentence), std::string::npos) << a.err;
  }
}

TEST(Draw, a_fact_that_is_set_is_in_the_picture) {
  const Answer four =
      perfmodel(words("bank-conflicts --hw m2090 --set shared.banks=16 --stride 1 --draw banks"));
  EXPECT_NE(four.out.find("16 banks"), std::string::npos) << four.out << four.err;
}

// R. Vuduc, slide 39: 0.63 of peak at 1024 threads without independent operations.
TEST(Published, printed_points_stand_in_table_and_picture) {
  const Scratch scratch;
  const Answer table = perfmodel(words("latency-hiding --hw m2090 --threads 32:1024:32 --published"));
  EXPECT_NE(table.out.find("published of m2090: "), std::string::npos) << table.out.substr(0, 500);
  const Answer a = perfmodel(words("latency-hiding --hw m2090 --threads 32:1024:32 --published -o") +
                             std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_NE(svg.find("published ILP 1: "), std::string::npos); // a tooltip
  EXPECT_NE(svg.find(">published</text>"), std::string::npos);
  EXPECT_EQ(svg.find(">measured</text>"), std::string::npos);
}

// R. Vuduc, slide 44: 0.25 of the pins with words of 4 B, 0.43 with 8 B. The slide of the first says nothing
// of its size, which is the usual one.
TEST(Published, a_printed_point_has_the_look_of_the_line_that_it_belongs_to) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& more) {
    const Answer a = perfmodel(words("memory-parallelism --hw m2090 --threads 32,64 --published " + more) +
                               std::vector{std::string("-o"), scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  const std::string words_of_all = drawn("--word 4,8,16"), words_of_8 = drawn("--word 8"),
                    over_words = drawn("--word 4,8,16 --chart-x word --chart-y of_pin");
  EXPECT_NE(words_of_all.find("published word 4 B: threads 32, 25 %; predicted 25.2 %"), std::string::npos);
  EXPECT_NE(words_of_all.find("published word 8 B: threads 32, 43 %"), std::string::npos);
  EXPECT_EQ(words_of_all.find("published threads"), std::string::npos) << "a point of no line";
  EXPECT_EQ(words_of_8.find("threads 32, 25 %"), std::string::npos) << "that is of 4 B";
  EXPECT_NE(words_of_8.find("threads 32, 43 %"), std::string::npos);
  EXPECT_NE(over_words.find("4 B, 25 %"), std::string::npos);
}

TEST(Published, nothing_printed_is_said_and_draws_the_prediction_alone) {
  const Answer a = perfmodel(words("coalescing --hw h200 --published"));
  EXPECT_EQ(a.code, 0);
  EXPECT_NE(a.err.find("no such published number of coalescing on h200 is there"), std::string::npos)
      << a.err;
}

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

TEST(Draw, a_caption_has_the_inputs_the_version_and_who_says_so) {
  const Scratch scratch;
  const Answer a =
      perfmodel(words("coalescing --hw gtx280 --offset 1 --draw segments --caption --set clock=1GHz -o") +
                std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  for (const char* said : {"gtx280, offset 1", "clock=1GHz", "Source: perfmodel "})
    EXPECT_NE(svg.find(said), std::string::npos) << said;
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
  EXPECT_NE(contents(scratch / "a.svg").find("threads 512"), std::string::npos);
}

TEST(DefaultPicture, of_many_gpus_has_one_bar_for_each_in_the_order_of_their_years) {
  const Scratch scratch;
  const Answer a = perfmodel(words("balance --hw all -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "the picture of so many GPUs is of ceiling fp32 alone; --chart-x ceiling draws all\n");
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_NE(svg.find("2006 to 2025: ceiling fp32, basis spec"), std::string::npos);
  EXPECT_LT(svg.find(">8800gtx<"), svg.find(">m2090<"));
  EXPECT_LT(svg.find(">m2090<"), svg.find(">b200<"));
  // Of a ladder it is that of the fastest version.
  const Answer sums =
      perfmodel(words("reduction --n 4096 --hw year>=2017 -o") + std::vector{scratch / "b.svg"});
  EXPECT_NE(contents(scratch / "b.svg").find(", the fastest version of each: "), std::string::npos)
      << sums.err;
  // The fastest of the transposes is none that copies, and says so.
  const Answer transposes =
      perfmodel(words("transpose --n 256 --hw year>=2012&maker=nvidia -o") + std::vector{scratch / "b.svg"});
  EXPECT_EQ(transposes.err, "the picture of so many GPUs is of the fastest version of each alone; "
                            "--chart-x version draws all\n");
  EXPECT_EQ(contents(scratch / "b.svg").find("version copy"), std::string::npos);
  for (const auto& [question, title] :
       {std::pair{"kernel axpy --let n=65536", "Time of a launch on 17 GPUs"},
        std::pair{"instruction-throughput", "Instruction throughput of 17 GPUs"},
        std::pair{"suffix-sums", "Suffix sums in a block of 17 GPUs, 2012 to 2025: version two-barriers"}}) {
    const Answer one = perfmodel(words(std::string(question) + " --hw year>=2012&maker=nvidia -o") +
                                 std::vector{scratch / "c.svg"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_NE(contents(scratch / "c.svg").find(title), std::string::npos) << question;
  }
  // Columns that somebody chose are drawn as they are.
  EXPECT_EQ(perfmodel(words("balance --hw all --chart-x ceiling -o") + std::vector{scratch / "a.svg"}).err,
            "");
}

// Every GPU has a line of its own there, and 28 of them cannot be told apart.
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
       {std::tuple{"energy --hw maker=nvidia", "Best efficiency of 28 GPUs", 28},
        std::tuple{"energy --hw maker=nvidia --intensity 4", "Energy of 28 GPUs, 2006 to 2025", 28},
        std::tuple{"segment-rate --hw year>=2012&maker=nvidia", "Segment rate of 17 GPUs", 17},
        std::tuple{"partition-camping --hw year>=2012&maker=nvidia", "Partition camping of 17 GPUs", 17},
        std::tuple{"shared-memory --hw year>=2012&maker=nvidia", "way gpus", 17}}) {
    const std::string svg = drawn(question);
    EXPECT_NE(svg.find(title), std::string::npos) << question;
    EXPECT_EQ(marks_of(svg), static_cast<std::size_t>(bars)) << question;
    EXPECT_NE(svg.find(">h200</text>"), std::string::npos) << question;
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
  EXPECT_NE(drawn("work-depth").find(">8800gtx and 28 more, n 1000. Source"), std::string::npos);
  // Each by itself where somebody says so.
  const Answer each =
      perfmodel(words("bank-conflicts --hw all --chart-series gpu -o") + std::vector{scratch / "a.svg"});
  EXPECT_NE(contents(scratch / "a.svg").find(">gtx280<"), std::string::npos) << each.err;
}

TEST(Pages, follow_a_dark_screen_unless_a_theme_was_asked_for) {
  const Scratch scratch;
  const auto page_of = [&](const std::string& more) {
    const Answer a = perfmodel(words("roofline --hw h200 " + more + " -o") + std::vector{scratch / "a.html"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.html");
  };
  EXPECT_NE(page_of("").find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(page_of("").find("picture dark"), std::string::npos);
  EXPECT_EQ(page_of("--theme light").find("prefers-color-scheme"), std::string::npos);
}

TEST(Pages, have_a_picture_for_a_phone_unless_a_size_was_asked_for) {
  const Scratch scratch;
  const auto page_of = [&](const std::string& question) {
    const Answer a = perfmodel(words(question + " -o") + std::vector{scratch / "a.html"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.html");
  };
  for (const char* question :
       {"roofline --hw h200", "reduction --hw m2090 --draw tree", "node --node fermi-node"})
    EXPECT_NE(page_of(question).find("viewBox=\"0 0 420 "), std::string::npos) << question;
  EXPECT_EQ(page_of("roofline --hw h200 --size slide").find("viewBox=\"0 0 420 "), std::string::npos);
}

} // namespace perfmodel::draw_test
