// --draw and --published: pictures of mechanisms, printed points in charts; pages for a dark screen and a
// phone.
#include "program.hpp"

#include "models/drawings/drawings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
  EXPECT_NE(a.err.find("nothing about coalescing is published of h200"), std::string::npos) << a.err;
}

TEST(Draw, a_caption_has_the_inputs_the_version_and_who_says_so) {
  const Scratch scratch;
  const Answer a =
      perfmodel(words("coalescing --hw gtx280 --offset 1 --draw segments --caption --set clock=1GHz -o") +
                std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  for (const char* said : {"gtx280, offset = 1", "clock=1GHz", "Source: perfmodel ", "its hardware database"})
    EXPECT_NE(svg.find(said), std::string::npos) << said;
}

TEST(Draw, what_is_drawn_over_time_says_what_its_costs_are_known_from) {
  const Scratch scratch;
  const auto svg = [&](const char* gpu) {
    const Answer a = perfmodel(words("kernel vector-copy --grid 64 --draw timeline --hw") +
                               std::vector<std::string>{gpu, "-o", scratch / "a.svg"});
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "a.svg");
  };
  EXPECT_NE(svg("m2090").find("It rests on assumed costs."), std::string::npos);
  EXPECT_EQ(svg("h200").find("It rests on"), std::string::npos);
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
