// Text answers fit 100 columns, and help 80: every line of every command.
#include "program.hpp"

#include "cli/strip.hpp"
#include "cli/text_lines.hpp"
#include "hwdb/database.hpp"
#include "models/core/model.hpp"

#include <gtest/gtest.h>

namespace perfmodel::text_width_test {

void expect_fits(const std::vector<std::string>& arguments) {
  const Answer a = perfmodel(arguments);
  std::string line;
  for (const std::string& word : arguments) line += word + " ";
  // Of an Apple M1 little is published, and models say what they miss.
  const bool refused = a.err.find(" has no fact '") != std::string::npos ||
                       a.err.find(" has no units for '") != std::string::npos ||
                       a.err.find(" does not run the machine code of ") != std::string::npos;
  EXPECT_TRUE(a.code == 0 || a.code == 1 || refused) << line << ": " << a.err;
  for (const std::string& text : lines_of(a.out)) {
    EXPECT_LE(cli::width_of(text), 100u) << line << "\n" << text;
    EXPECT_TRUE(text.empty() || text.back() != ' ') << line << ": a space at the end of\n" << text;
    const std::vector<std::string> all = words(text);
    EXPECT_EQ(std::find(all.begin(), all.end(), "nan"), all.end()) << line << "\n" << text;
  }
}

const std::vector<std::string>& gpus() {
  static const std::vector<std::string> all = hwdb::Database(hwdb::default_folder()).names();
  return all;
}

TEST(TextWidth, every_model_on_every_gpu) {
  for (const Model& model : models())
    for (const std::string& gpu : gpus()) {
      // --explain prints all that is printed without it.
      expect_fits(small_question(model, gpu) + words("--explain"));
      if (model.info.gpu == GpuUse::none) break;
    }
}

TEST(TextWidth, every_model_on_several_gpus_and_facts_at_once) {
  for (const Model& model : models()) {
    if (model.info.gpu == GpuUse::none) continue;
    expect_fits(small_question(model, "m2090,h200,gtx280"));
    expect_fits(small_question(model, "m2090,h200") +
                words("--set clock=1GHz,2GHz --set dram.bandwidth=100GB/s:200GB/s:50GB/s"));
  }
}

// Two rows that are too wide for a table are compared along a line, and a head names what it counts once.
TEST(TextWidth, few_wide_rows_stand_beside_one_another) {
  const Answer a = perfmodel(words("coalescing --hw h200 --stride 1,2"));
  const std::vector<std::string> lines = lines_of(a.out);
  const auto line = [&](const std::string& head) {
    for (const std::string& text : lines)
      if (text.starts_with("  " + head + " ")) return words(text);
    return std::vector<std::string>{};
  };
  EXPECT_EQ(line("stride"), (std::vector<std::string>{"stride", "1", "2"}));
  EXPECT_EQ(line("transactions"), (std::vector<std::string>{"transactions", "4096", "8192"}));
}

// "price of million runs" above five digits: 21, 13 or 8 wide, in one line, two or three.
TEST(TextWidth, a_head_has_as_many_lines_as_it_takes_and_no_more) {
  const auto head = [](std::size_t width) {
    std::vector<cli::Strip> strips{{.head = {"gpu"}, .width = 10, .text = true},
                                   {.head = {"price of million runs"}, .width = 21, .number = 5, .unit = 0}};
    EXPECT_TRUE(cli::narrow_heads(strips, width, 2));
    EXPECT_LE(cli::natural_width(strips, 2), width);
    return strips[1].head;
  };
  EXPECT_EQ(head(35), (std::vector<std::string>{"price of million runs"}));
  EXPECT_EQ(head(30), (std::vector<std::string>{"price of million", "runs"}));
  EXPECT_EQ(head(26), (std::vector<std::string>{"price of", "million runs"}));
  EXPECT_EQ(head(22), (std::vector<std::string>{"price of", "million", "runs"}));
  std::vector<cli::Strip> none{{.head = {"threads"}, .width = 7, .number = 3}};
  EXPECT_FALSE(cli::narrow_heads(none, 8, 2));
  EXPECT_EQ(none[0].head.size(), 1u);
}

TEST(TextWidth, kernels_on_a_roofline) {
  expect_fits(words("roofline --hw h200 --flops 2e12 --bytes 64GB --time 20ms"));
  expect_fits(words("roofline --hw h200 --flops 2e12 --bytes 64GB --time 20ms --precision bf16 --explain"));
  expect_fits(words("roofline --hw h200,m2090 --intensity 1/16:256:*2"));
  expect_fits(words("roofline --hw gtx260 --intensity 1e-18,1e30"));
  expect_fits({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", std::string(500, 'k')});
  std::string name(120, 'k');
  name += " \xC3\xBC";
  expect_fits({"roofline", "--hw", "m2090", "--intensity", "1,2,3,4,5", "--kernel", name});
}

TEST(TextWidth, the_database) {
  expect_fits(words("hw list"));
  expect_fits(words("hw keys"));
  expect_fits(words("hw diff c2050 h200 --all"));
  expect_fits(words("hw diff gtx260 gtx260-192"));
  for (const std::string& gpu : gpus()) expect_fits({"hw", "show", gpu});
}

TEST(TextWidth, validation) {
  for (const std::string& gpu : gpus())
    if (!hwdb::Database(hwdb::default_folder()).published(gpu).empty())
      expect_fits({"validate", "--hw", gpu});
}

TEST(TextWidth, help) {
  for (const char* line : {"--help", "hw --help", "hw list --help", "hw show --help", "hw runs --help",
                           "cite --help", "hw diff --help", "hw check --help", "hw keys --help",
                           "hw detect --help", "measure --help", "validate --help", "compare --help"})
    expect_fits(words(line));
  std::vector<std::vector<std::string>> all{
      {"--help"}, words("hw --help"), words("rank --help"), words("capture --help")};
  for (const Model& model : models()) all.push_back({std::string(model.info.name), "--help"});
  for (const std::vector<std::string>& asked : all)
    for (const std::string& text : lines_of(perfmodel(asked).out))
      if (!text.starts_with("  perfmodel ")) { // an example stays on one line: it is copied
        EXPECT_LE(cli::width_of(text), 80u) << asked.front() << "\n" << text;
      }
}

} // namespace perfmodel::text_width_test
