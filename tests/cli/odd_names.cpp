// Names come from files, paths and command lines, and whoever wrote them may mean ill. In every format they
// are text: no terminal obeys them, no spreadsheet computes them, no page links with them.
#include "program.hpp"

#include "hwdb/result_file.hpp"
#include "models/core/utf8.hpp"

#include <gtest/gtest.h>

namespace perfmodel::odd_names_test {

// C0, the 8-bit CSI, the same byte without UTF-8, a title, a bell, a right-to-left override, no UTF-8 at all.
const std::vector<std::string> orders = {"\x1b[31mred",
                                         "\xC2\x9B"
                                         "31mred",
                                         "\x9B"
                                         "31mred",
                                         "\x1b]0;title\x07",
                                         "a\rb\x08\x7F",
                                         "\xE2\x80\xAE"
                                         "002h",
                                         "\xFF\xFE\xC0\x80",
                                         "\xED\xA0\x80",
                                         "a\xE2\x82"};
const std::vector<std::string> formulas = {"=1+1",
                                           "=cmd|' /C calc'!A0",
                                           "+a1",
                                           "-a1+2",
                                           "@SUM(A1)",
                                           "\t=1+1",
                                           "\r=1+1",
                                           " =1+1",
                                           "\xEF\xBB\xBF=1+1",
                                           "\xE2\x80\x8B @SUM(A1)",
                                           "\xEF\xBC\x9D"
                                           "1+1",
                                           "a;=1+1"};
const std::vector<std::string> markup = {"[click](http://example.org)",
                                         "![x](http://example.org/x.png)",
                                         "a|b|c",
                                         "<img src=x onerror=alert(1)>",
                                         "`code`",
                                         "**bold** _it_ ~~gone~~",
                                         "&lt;b&gt;",
                                         "</title><script>alert(1)</script>",
                                         "http://example.org and WWW.example.org",
                                         "somebody@example.org, @somebody"};

std::vector<std::string> every_name() {
  std::vector<std::string> all = orders;
  all.insert(all.end(), formulas.begin(), formulas.end());
  all.insert(all.end(), markup.begin(), markup.end());
  return all;
}

// Valid UTF-8 and nothing in it but text and line ends.
void expect_safe(const std::string& text, const std::string& what) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    line += c == U'\n' ? 1 : 0;
    ASSERT_TRUE(c != no_character && (c == U'\n' || !is_control(c)))
        << what << ": " << static_cast<unsigned long>(c) << " in line " << line;
  }
}

std::vector<std::string> asking(std::vector<std::string> question, const std::string& format) {
  question.insert(question.end(), {"--format", format});
  return question;
}

// What each format makes of an answer that holds `name`, in tables or sentences.
void expect_safe_everywhere(const std::vector<std::string>& question, const std::string& name) {
  for (const char* format : {"text", "csv", "markdown", "json"}) {
    const Answer a = perfmodel(asking(question, format));
    ASSERT_TRUE(a.code == 0 || a.code == 1) << printable(name) << ": " << a.err;
    expect_safe(a.out, std::string(format) + " of " + printable(name));
    expect_safe(a.err, std::string(format) + " of " + printable(name));
    if (std::string_view(format) == "json") {
      EXPECT_NO_THROW(hwdb::record_from_json(a.out, "answer")) << printable(name);
    }
  }
}

// The cells of a CSV as a spreadsheet takes them: where the comma is decimal, it parts them at semicolons.
std::vector<std::string> cells_of(const std::string& csv, char separator) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char c : csv)
    if (c == '"' && (quoted || cells.back().empty())) // elsewhere it is a letter like others
      quoted = !quoted;
    else if (!quoted && (c == separator || c == '\n'))
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

void expect_no_formula(const std::string& csv, const std::string& name) {
  std::vector<std::string> cells = cells_of(csv, ',');
  for (std::string& cell : cells_of(csv, ';'))
    if (cell.empty() || cell.front() != ' ') cells.push_back(std::move(cell)); // "; -x" is prose
  for (const std::string& cell : cells) {
    EXPECT_NE(cell.compare(0, 3, "\xEF\xBC\x9D"), 0) << "a full-width equals sign";
    // With the bytes of a byte order mark and of a space without width.
    const std::size_t first = cell.find_first_not_of(" \n\t\r\xEF\xBB\xBF\xE2\x80\x8B");
    if (first == cell.npos || std::string_view("=+-@").find(cell[first]) == std::string_view::npos) continue;
    EXPECT_EQ(cell.find_first_not_of("0123456789.e+-"), cell.npos) << printable(name) << ": " << cell;
  }
}

TEST(OddNames, a_word_of_the_command_line_is_text_in_every_format) {
  for (const std::string& name : every_name()) {
    const std::vector<std::string> question{"roofline", "--hw",     "m2090", "--intensity",
                                            "1",        "--kernel", name};
    expect_safe_everywhere(question, name);
    expect_no_formula(perfmodel(asking(question, "csv")).out, name);
  }
}

TEST(OddNames, no_markdown_page_links_or_breaks_its_table) {
  for (const std::string& name : markup) {
    const std::string page =
        perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", name, "--format", "markdown"})
            .out;
    EXPECT_EQ(page.find("http://example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("WWW.example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("@example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("@somebody"), page.npos) << "GitHub tells whoever has this name";
    for (const char* bare : {"](", "![", "<img", "<script", "**", "~~", "`c", "&lt"})
      for (std::size_t at = page.find(bare); at != page.npos; at = page.find(bare, at + 1))
        if (page[at - 1] != '\\' && (bare[0] != '!' || page[at + 1] != '\\'))
          ADD_FAILURE() << name << " left " << bare << " in " << page.substr(at, 40);
  }
}

TEST(OddNames, numbers_of_a_csv_stay_numbers) {
  const std::string csv =
      perfmodel(words("roofline --hw m2090 --intensity 1 --kernel -12.5e-3 --format csv")).out;
  EXPECT_NE(csv.find(",-12.5e-3,"), csv.npos) << csv;
  EXPECT_EQ(csv.find('\''), csv.npos);
}

// pandas.read_csv(file, comment="#") drops what follows a # that stands in no quotes.
TEST(OddNames, a_number_sign_in_a_cell_begins_no_comment) {
  const std::string csv =
      perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", "sum #2", "--format", "csv"})
          .out;
  EXPECT_NE(csv.find("\"sum #2\""), csv.npos) << csv;
}

TEST(OddNames, the_apostrophe_before_a_formula_is_no_part_of_the_name) {
  const Scratch scratch;
  write(scratch / "p.csv", "name,intensity,performance\n'=1+1,1,1e9\n'quote,2,1e9\n");
  const Answer a =
      perfmodel({"roofline", "--hw", "m2090", "--points", scratch / "p.csv", "--format", "json"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("\"=1+1\""), a.out.npos);
  EXPECT_NE(a.out.find("\"'quote\""), a.out.npos);
}

std::string in_csv(const std::string& name) {
  std::string cell = "\"";
  for (const char c : name) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

TEST(OddNames, points_of_a_file_are_text_in_every_format_and_picture) {
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

TEST(OddNames, titles_sources_and_notes_of_a_gpus_file_are_text_in_every_format) {
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

TEST(OddNames, a_result_file_is_text_in_every_format) {
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

TEST(OddNames, a_name_survives_json_exactly_when_it_is_utf8) {
  for (const std::string& name : {std::string("\x1b[31m\x7F\xC2\x9B"),
                                  std::string("\xE2\x80\xAE"
                                              "a\nb\tc\"\\d"),
                                  std::string("größer ✓")}) {
    const std::string text = hwdb::to_json(Record{.result = {.model = "roofline", .title = name}});
    EXPECT_EQ(hwdb::record_from_json(text, "text").result.title, name);
  }
}

TEST(OddNames, files_that_are_not_there_are_named_safely) {
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

} // namespace perfmodel::odd_names_test
