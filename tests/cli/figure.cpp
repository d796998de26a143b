// --size, --theme, --title, --caption: how a figure is to look.
#include "program.hpp"

#include "plots/output/theme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace perfmodel::figure_test {

std::string drawn(const Scratch& scratch, const std::vector<std::string>& question,
                  const std::vector<std::string>& more) {
  const Answer a = perfmodel(question + more + std::vector<std::string>{"-o", scratch / "a.svg"});
  EXPECT_EQ(a.code, 0) << question.front() << ": " << a.err;
  return contents(scratch / "a.svg");
}

std::string head_of(const std::string& svg) { return svg.substr(0, svg.find('>')); }

const std::vector<std::string> reduction{"reduction", "--hw", "h200"};

// Where a model has a chart of its own.
TEST(Figure, every_model_is_drawn_at_the_stated_size_in_the_stated_theme) {
  const Scratch scratch;
  std::size_t drawn_models = 0;
  for (const Model& model : models()) {
    if (model.info.chart == ChartKind::none) continue;
    ++drawn_models;
    for (const auto& [size, width, theme] :
         {std::tuple{"slide", "960pt", "dark"}, {"column", "85mm", "print"}}) {
      const std::string svg =
          drawn(scratch, small_question(model, "h200"), {"--size", size, "--theme", theme});
      EXPECT_NE(head_of(svg).find(std::string(" width=\"") + width + "\""), std::string::npos)
          << model.info.name << ": " << head_of(svg);
      EXPECT_NE(svg.find("fill=\"" + std::string(plots::theme_named(theme).ground) + "\""), std::string::npos)
          << model.info.name;
      if (model.info.chart != ChartKind::diagram) {       // its rows of boxes leave a column no room for one
        for (const char* said : {"Source:", "perfmodel"}) // a line may end between any two words
          EXPECT_NE(svg.find(said), std::string::npos) << model.info.name;
      }
    }
  }
  EXPECT_GT(drawn_models, 20U);
}

TEST(Figure, light_is_the_default_theme_and_other_formats_know_themes_too) {
  const Scratch scratch;
  EXPECT_EQ(drawn(scratch, reduction, {}), drawn(scratch, reduction, {"--theme", "light"}));
  const Answer page =
      perfmodel(reduction + std::vector<std::string>{"--theme", "dark", "-o", scratch / "a.html"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_NE(contents(scratch / "a.html").find("background: #15181c"), std::string::npos);
}

TEST(Figure, a_title_stands_in_place_of_the_charts_own) {
  const Scratch scratch;
  const std::string svg = drawn(scratch, reduction, {"--title", "A sum < 5 ms"});
  EXPECT_NE(svg.find("<title>A sum &lt; 5 ms</title>"), std::string::npos);
  EXPECT_NE(svg.find(">A sum &lt; 5 ms</text>"), std::string::npos);
  EXPECT_EQ(svg.find("Reduction ladder"), std::string::npos);
}

TEST(Figure, a_caption_says_what_was_held_fixed_the_version_and_whence_the_numbers) {
  const Scratch scratch;
  const std::vector<std::string> question{"latency-hiding", "--hw", "h200", "--blocks", "2"};
  EXPECT_EQ(drawn(scratch, question, {}).find("Source:"), std::string::npos);
  const std::string svg = drawn(scratch, question, {"--caption"});
  for (const char* words :
       {"h200, blocks = 2, ", "Source: perfmodel 0.", "hardware database", "probes on NVIDIA H200"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  EXPECT_EQ(drawn(scratch, question, {"--size", "column", "--no-caption"}).find("Source:"),
            std::string::npos);
  EXPECT_EQ(drawn(scratch, question, {"--size", "120mmx80mm"}).find("Source:"), std::string::npos);
}

TEST(Figure, title_and_caption_have_defaults_that_make_the_numbers) {
  const Scratch scratch;
  for (const auto& [question, held] :
       {std::pair{"partition-camping --hw gtx280", "kernel = padded, mapping = cartesian, tile = 32"},
        std::pair{"partition-camping --hw gtx280 --mapping diagonal --n 4096,4000",
                  "kernel = padded, mapping = diagonal, tile = 32"},
        std::pair{"message", "latency = 5 us, bandwidth = 12.5 GB/s"},
        std::pair{"message --latency 2us --overhead 1us",
                  "latency = 2 us, bandwidth = 12.5 GB/s, overhead = 1 us"}}) {
    const std::string svg = drawn(scratch, words(question), {"--caption"}), title = svg.substr(0, 1000);
    EXPECT_NE(title.find(std::string(": ") + held + "</title>"), std::string::npos) << title;
    EXPECT_NE(svg.find(held, svg.find("Source:") - 150), std::string::npos) << question;
  }
}

TEST(Figure, the_caption_of_a_node_names_it) {
  const Scratch scratch;
  EXPECT_NE(drawn(scratch, {"node"}, {"--caption"}).find("fermi-node. Source: perfmodel "),
            std::string::npos);
}

// A line of text in a picture may end between any two words.
std::string text_of(const std::string& svg) {
  std::string text;
  for (std::size_t at = 0; (at = svg.find("<text", at)) != svg.npos;) {
    const std::size_t begin = svg.find('>', at) + 1;
    at = svg.find("</text>", begin);
    text += svg.substr(begin, at - begin) + " ";
  }
  return text;
}

// At stride 0 one word is counted for 16 lanes: 224.8 GB/s, where the pins deliver 141.7.
TEST(Figure, a_bandwidth_above_the_pins_is_explained_below_the_picture) {
  const Scratch scratch;
  const auto picture = [&](const char* strides) {
    return text_of(drawn(scratch, words("coalescing --hw gtx280 --chart-y bandwidth --stride"), {strides}));
  };
  EXPECT_NE(picture("0:18").find("More than the pins deliver"), std::string::npos);
  EXPECT_EQ(picture("1:18").find("More than the pins deliver"), std::string::npos);
}

TEST(Figure, a_caption_names_who_printed_what_is_laid_over_the_chart) {
  const Scratch scratch;
  const auto text = [&](const char* more) {
    return text_of(
        drawn(scratch, words("matmul --hw gtx260 --version naive,tiled --size slide"), words(more)));
  };
  EXPECT_NE(text("--published").find("R. Giorgi"), std::string::npos);
  EXPECT_EQ(text("").find("R. Giorgi"), std::string::npos);
}

TEST(Figure, costs_that_move_nothing_are_said_to_do_so) {
  const Scratch scratch;
  EXPECT_NE(text_of(drawn(scratch, words("transpose --hw gtx280 --n 4000 --size slide"), {}))
                .find("assumed costs (they move it by under 2 %)"),
            std::string::npos);
}

TEST(Figure, what_has_no_room_or_is_no_figure_is_refused_in_a_sentence_and_nothing_written) {
  const Scratch scratch;
  for (const auto& [option, value] : {std::pair{"--size", "slidee"},
                                      {"--size", "30mmx20mm"},
                                      {"--size", "85mm"},
                                      {"--size", "99999x99999"},
                                      {"--theme", "drak"},
                                      {"--theme", "Light"}}) {
    const Answer a = perfmodel(reduction + std::vector<std::string>{option, value, "-o", scratch / "a.svg"});
    EXPECT_EQ(a.code, 2) << value;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find(option), std::string::npos) << a.err;
  }
  const Answer flat =
      perfmodel({"roofline", "--hw", "h200", "--size", "200mmx38mm", "--caption", "-o", scratch / "a.svg"});
  EXPECT_EQ(flat.code, 2);
  EXPECT_NE(flat.err.find("too small"), std::string::npos) << flat.err;
  EXPECT_EQ(scratch.files(), std::vector<std::string>{});
}

TEST(Figure, one_that_is_too_large_is_not_said_to_be_too_small) {
  const Scratch scratch;
  for (const char* size : {"100000x100000", "10000mmx10000mm", "99999999999x5"})
    EXPECT_NE(perfmodel(reduction + std::vector<std::string>{"--size", size, "-o", scratch / "a.svg"})
                  .err.find("is too large: at most"),
              std::string::npos)
        << size;
}

TEST(Figure, an_option_of_a_figure_needs_one) {
  const Scratch scratch;
  for (const auto& more :
       std::vector<std::vector<std::string>>{{"--size", "slide"},
                                             {"--theme", "dark"},
                                             {"--title", "a"},
                                             {"--caption"},
                                             {"--no-caption"},
                                             {"--size", "slide", "-o", scratch / "a.csv"},
                                             {"--caption", "--no-caption", "-o", scratch / "a.svg"}}) {
    const Answer a = perfmodel(reduction + more);
    EXPECT_EQ(a.code, 2) << more.front();
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{});
}

} // namespace perfmodel::figure_test
