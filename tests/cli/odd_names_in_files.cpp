// Odd names in files that the program reads, and of files.
#include "odd_names.hpp"

#include <gtest/gtest.h>

namespace perfmodel::odd_names_in_files_test {

using namespace odd_names;

std::string in_csv(const std::string& name) {
  std::string cell = "\"";
  for (const char c : name) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

TEST(OddNamesInFiles, points_of_a_file_are_text_in_every_format_and_picture) {
  const Scratch scratch;
  std::string csv = "name,intensity,performance\n";
  for (const std::string& name : every_name()) csv += in_csv(name) + ",1,1e9\n";
  write(scratch / "p.csv", csv);
  const std::vector<std::string> question{"roofline", "--hw", "m2090", "--points", scratch / "p.csv"};
  expect_safe_everywhere(question, "points");
  expect_no_formula(perfmodel(asking(question, "csv")).out, "points");
  for (const char* picture : {"p.svg", "p.html"}) {
    std::vector<std::string> drawn = question;
    drawn.insert(drawn.end(), {"-o", scratch / picture});
    EXPECT_EQ(perfmodel(drawn).code, 0);
    const std::string text = contents(scratch / picture);
    expect_safe(text, picture);
    EXPECT_EQ(text.find("<img"), text.npos);
    EXPECT_EQ(text.find("<script>alert"), text.npos);
  }
  std::vector<std::string> plotted = question;
  plotted.push_back("--plot"); // not a terminal: no colour
  expect_safe(perfmodel(plotted).out, "--plot");
}

// A YAML double-quoted text with every byte that YAML can write as an escape.
std::string in_yaml(const std::string& name) {
  std::string text = "\"";
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    const char32_t c = next_character(name, at);
    char escape[16];
    if (c < 0x80) {
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c));
      text += escape;
    } else {
      text.append(name, begin, at - begin);
    }
  }
  return text + "\"";
}

TEST(OddNamesInFiles, titles_sources_and_notes_of_a_gpus_file_are_text_in_every_format) {
  const Scratch scratch;
  for (const std::string& name : every_name()) {
    const std::string text = in_yaml(name);
    write(scratch / "mine.yaml",
          "name: mine\ntitle: " + text + "\nchip: " + text +
              "\narchitecture: \"2.0\"\nsources:\n  s: " + text +
              "\nfacts:\n  dram.bandwidth: {value: 100 GB/s, status: unverified, source: s, note: " + text +
              "}\n"
              "  dram.type: {value: " +
              text + ", status: datasheet, source: s}\n");
    const Answer shown = perfmodel({"hw", "show", scratch / "mine.yaml"});
    if (shown.code == 2) { // YAML itself refuses some bytes
      expect_safe(shown.err, printable(name));
      EXPECT_TRUE(one_sentence(shown.err)) << shown.err;
      continue;
    }
    expect_safe_everywhere({"hw", "show", scratch / "mine.yaml"}, name);
    expect_safe_everywhere({"hw", "diff", scratch / "mine.yaml", "m2090"}, name);
    expect_no_formula(perfmodel({"hw", "show", scratch / "mine.yaml", "--format", "csv"}).out, name);
    expect_safe(
        perfmodel({"roofline", "--hw", scratch / "mine.yaml", "--set", "peak.fp32=1Tflop/s", "--explain"})
            .out,
        name);
    expect_safe(perfmodel({"hw", "check", scratch / "mine.yaml"}).out, name);
  }
}

TEST(OddNamesInFiles, a_result_file_is_text_in_every_format) {
  const Scratch scratch;
  for (const std::string& name : every_name()) {
    Result result{.model = "roofline", .title = name, .notes = {name}};
    for (const double value : {1.0, 2.0}) {
      result.tables = {
          {.title = name,
           .columns = {{.name = "key", .role = Role::key, .cells = std::vector<std::string>{name}},
                       {.name = "time", .role = Role::predicted, .cells = std::vector<double>{value}}},
           .notes = {name}}};
      write(scratch / (value == 1 ? "a.json" : "b.json"), hwdb::to_json(Record{.result = result}));
    }
    expect_safe(contents(scratch / "a.json"), printable(name));
    expect_safe_everywhere({"compare", scratch / "a.json", scratch / "b.json"}, name);
  }
}

TEST(OddNamesInFiles, a_name_survives_json_exactly_when_it_is_utf8) {
  for (const std::string& name : {std::string("\x1b[31m\x7F\xC2\x9B"),
                                  std::string("\xE2\x80\xAE"
                                              "a\nb\tc\"\\d"),
                                  std::string("größer ✓")}) {
    const std::string text = hwdb::to_json(Record{.result = {.model = "roofline", .title = name}});
    EXPECT_EQ(hwdb::record_from_json(text, "text").result.title, name);
  }
}

TEST(OddNamesInFiles, files_that_are_not_there_are_named_safely) {
  for (const std::string& name : every_name()) {
    for (const auto& question : std::vector<std::vector<std::string>>{
             {"roofline", "--hw", "./" + name + ".yaml"},
             {"roofline", "--hw", name},
             {"roofline", "--hw", "m2090", "--points", "./" + name},
             {"roofline", "--hw", "m2090", "--set", name + "=1"},
             {"roofline", "--hw", "m2090", "--precision", name},
             {"balance", "--hw", "m2090", "-o", "/no/such/" + name + ".csv"},
             {"compare", name, name},
             {"hw", "check", "/no/" + name},
             {"bank-conflicts", "--hw", "m2090", "--index", name},
             {"--hwdb", "/no/" + name, "hw", "list"},
             {name}}) {
      const Answer a = perfmodel(question);
      EXPECT_EQ(a.code, 2) << question[0] << " " << printable(name) << a.out;
      EXPECT_TRUE(one_sentence(a.err)) << a.err;
      expect_safe(a.err, question[0] + " " + printable(name));
    }
  }
}

} // namespace perfmodel::odd_names_in_files_test
