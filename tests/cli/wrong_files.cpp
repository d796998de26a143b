// Files that are not what they should be: one clear sentence that names the file, exit code 2, no answer.
#include "refused.hpp"

#include <gtest/gtest.h>

namespace perfmodel::wrong_files_test {

using refused::expect_refused;

struct Content {
  const char* what;
  std::string text;
  const char* said;
};

const char* const head = "name: mine\ntitle: Mine\narchitecture: \"9.0\"\n";
const char* const source = "sources: {here: \"my own measurement\"}\n";

// What people name by mistake, at every option that reads a file.
TEST(WrongFiles, prose_nothing_a_folder_and_a_program_at_every_reader) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder");
  write(scratch / "prose.md", "# Title\n\nSome text, with commas, and | pipes |\n");
  write(scratch / "empty", "");
  write(scratch / "program", std::string("\x7f"
                                         "ELF\x02\0\0\0",
                                         8));
  for (const char* command :
       {"roofline --hw h200 --measured", "kernel --hw h200 --measured", "roofline --hw h200 --points",
        "roofline --hw h200 --profile", "kernel --hw h200 --launches", "kernel --hw h200 --listing",
        "validate --hw h200 --measured", "compare " PERFMODEL_SOURCE_DIR "/hwdb/measured/h200/nccl.json",
        "rank --flops 1 --bytes 1 --price", "hw check", "balance --hw"})
    for (const char* name : {"prose.md", "empty", "folder", "program"}) {
      const std::vector<std::string> asked = words(command) + std::vector<std::string>{scratch / name};
      expect_refused(asked, name);
      const Answer a = perfmodel(asked);
      for (const char* jargon :
           {"parse error", "syntax error", "invalid literal", "json.exception", "unknown token"})
        EXPECT_EQ(a.err.find(jargon), std::string::npos) << a.err;
    }
}

TEST(WrongFiles, a_file_of_points) {
  const Scratch scratch;
  const std::string file = scratch / "points.csv";
  for (const Content& c : {
           Content{"empty", "", "the file is empty"},
           Content{"blank", "\n\n# nothing\n", "the file is empty"},
           Content{"header alone", "name,intensity,performance\n", "a header but no point"},
           Content{"no header", "a,0.25,1e9\n", "the header lacks the column"},
           Content{"binary", std::string("name,intensity\n\0,1\n", 19), "binary"},
           Content{"no intensity", "name,performance\na,1\n", "lacks the column 'intensity'"},
           Content{"twice", "name,intensity,intensity\na,1,2\n", "stands twice"},
           Content{"too few", "name,intensity,performance\na,1\n", "line 2: 2 cells where the header has 3"},
           Content{"too many", "name,intensity\na,1,2\n", "line 2: 3 cells where the header has 2"},
           Content{"truncated quote", "name,intensity\n\"a,1\n", "a quote that never closes"},
           Content{"a word", "name,intensity\na,much\n", "line 2: intensity: 'much' is not a number"},
           Content{"nan", "name,intensity\na,nan\n", "is not a number"},
           Content{"negative", "name,intensity\na,-1\n", "must be a positive number"},
           Content{"zero", "name,intensity\na,0\n", "must be a positive number"},
           Content{"overflow", "name,intensity\na,1e400\n", "larger than a number can be"},
           Content{"nothing", "name,intensity\na,\n", "line 2: intensity"},
           Content{"wrong unit", "name,intensity [s]\na,1\n", "an intensity such as 0.25flop/B is expected"},
           Content{"open unit", "name,intensity [flop/B\na,1\n", "is not closed"},
           Content{"upside down", "name,intensity,performance,low,high\na,1,2,3,1\n", "low is above high"},
           Content{"wide", "name,intensity\n" + std::string(5'000, ',') + "\n", "more than 1 000 columns"},
           Content{"a long cell", "name,intensity\n" + std::string(20'000, 'a') + ",1\n",
                   "more than 10 000 characters"},
       }) {
    write(file, c.text);
    expect_refused({"roofline", "--hw", "m2090", "--points", file}, c.said);
  }
}

TEST(WrongFiles, a_result_file_of_points) {
  const Scratch scratch;
  const std::string file = scratch / "r.json";
  const auto refused = [&](const std::vector<std::string>& command, const std::string& said) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-o", file});
    ASSERT_EQ(perfmodel(words).code, 0);
    expect_refused({"roofline", "--hw", "m2090", "--points", file}, said);
  };
  refused({"transpose", "--hw", "m2090", "--version", "naive", "--n", "64"},
          "r.json: the result of 'transpose' has no intensity and performance: only versions that do");
  refused({"reduction", "--hw", "gtx280", "--version", "sequential", "--n", "4096"},
          "r.json: none of them is of m2090");
  refused({"reduction", "--hw", "m2090", "--version", "sequential", "--n", "1"},
          "r.json: no version with an");
  const std::string whole = contents(file);
  write(file, whole.substr(0, whole.size() / 2));
  expect_refused({"roofline", "--hw", "m2090", "--points", file}, "r.json: ");
  write(file, "{\"schema\": \"perfmodel-result/9\"}");
  expect_refused({"roofline", "--hw", "m2090", "--points", file},
                 "r.json: this is no perfmodel-result/1 file");
  write(file, "{");
  expect_refused({"roofline", "--hw", "m2090", "--points", file}, "r.json: ");
}

TEST(WrongFiles, a_result_file) {
  const Scratch scratch;
  const std::string file = scratch / "r.json", good = scratch / "good.json";
  ASSERT_EQ(perfmodel({"balance", "--hw", "m2090", "-o", good}).code, 0);
  const std::string whole = contents(good);
  for (const Content& c : {
           Content{"empty", "", "r.json"},
           Content{"truncated", whole.substr(0, whole.size() / 2), "r.json"},
           Content{"truncated at the end", whole.substr(0, whole.size() - 3), "r.json"},
           Content{"binary", std::string("{\0}", 3), "binary file"},
           Content{"another schema", "{\"schema\": \"perfmodel-result/9\"}", "no perfmodel-result/1 file"},
           Content{"a number", "3", "no perfmodel-result/1 file"},
           Content{"schema of another type", "{\"schema\": 1}", "r.json"},
           Content{"no kind", "{\"schema\": \"perfmodel-result/1\"}", "r.json"},
           Content{"unknown kind", "{\"schema\": \"perfmodel-result/1\", \"kind\": \"guessed\"}",
                   "unknown word 'guessed'"},
           Content{"no tables",
                   "{\"schema\": \"perfmodel-result/1\", \"kind\": \"predicted\", \"model\": \"balance\"}",
                   "r.json"},
           Content{"deep", std::string(100'000, '['), "nested too deeply"},
           Content{"not UTF-8", "{\"schema\": \"\xff\xfe\"}", "r.json"},
           Content{"number too large", "{\"schema\": 1e999}", "r.json"},
           Content{
               "columns of unequal length",
               "{\"schema\":\"perfmodel-result/"
               "1\",\"kind\":\"predicted\",\"model\":\"balance\",\"tables\":[{\"title\":\"t\",\"columns\":["
               "{\"name\":\"a\",\"unit\":\"\",\"role\":\"key\",\"values\":[1]},{\"name\":\"b\",\"unit\":\"\","
               "\"role\":\"key\",\"values\":[]}]}]}",
               "differ in length"},
       }) {
    write(file, c.text);
    expect_refused({"compare", file, good}, c.said);
    expect_refused({"compare", good, file}, c.said);
    expect_refused({"roofline", "--hw", "m2090", "--measured", file}, c.said);
    expect_refused({"validate", "--hw", "m2090", "--measured", file}, c.said);
  }
  expect_refused({"roofline", "--hw", "m2090", "--measured", good}, "holds no measurements");
}

TEST(WrongFiles, a_profile) {
  const Scratch scratch;
  const std::string file = scratch / "p.csv";
  const std::string none =
      "is no profile that ncu --csv wrote and no result of nvbench, Google Benchmark or BabelStream";
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", none + ": it is empty"},
           {"\n\n", none + ": it is empty"},
           {"\nname,time\na,1\n", none + ", but begins with 'name,time'"},
           {"{}", none + ", but begins with '{}'"},
           {std::string("\xff\xfe\"\0I\0", 6), "is UTF-16, as PowerShell's '>' writes it"}}) {
    write(file, text);
    expect_refused({"roofline", "--hw", "h200", "--profile", file}, said);
  }
}

// Whatever takes a file takes none of these.
TEST(WrongFiles, no_file_at_all) {
  const Scratch scratch;
  const std::string folder = scratch / "folder.yaml", big = scratch / "big.yaml";
  std::filesystem::create_directory(folder);
  {
    std::ofstream out(big);
    const std::string line = "# " + std::string(998, 'x') + "\n";
    for (int i = 0; i < 101 * 1024; ++i) out << line; // 100 MB
  }
  const auto each = [&](const std::string& file, const std::string& said) {
    expect_refused({"roofline", "--hw", file}, said);
    expect_refused({"hw", "check", file}, said);
    expect_refused({"roofline", "--hw", "m2090", "--points", file}, said);
  };
  each(scratch / "missing.yaml", "cannot be read: No such file or directory");
  each(folder, "is a folder, not a file");
  each("/dev/null", "empty");
  each("/dev/zero", "/dev/zero");
  each(scratch / (std::string(300, 'n') + ".yaml"), "cannot be read: File name too long");
  expect_refused({"roofline", "--hw", big}, "is larger than 4 MiB");
  expect_refused({"hw", "check", big}, "is larger than 4 MiB");
  expect_refused({"roofline", "--hw", "m2090", "--points", big}, ": the file is empty");
  expect_refused({"compare", big, big}, "big.yaml");
  expect_refused({"compare", folder, folder}, "is a folder, not a file");
  expect_refused({"compare", scratch / "first.json", scratch / "second.json"}, "first.json");
  if (::geteuid() != 0) {
    write(scratch / "secret.yaml", "x");
    std::filesystem::permissions(scratch / "secret.yaml", std::filesystem::perms::none);
    const Answer a = perfmodel({"roofline", "--hw", scratch / "secret.yaml"});
    EXPECT_EQ(a.code, 3) << "the file is right, the machine does not give it";
    EXPECT_NE(a.err.find("Permission denied"), std::string::npos) << a.err;
  }
}

} // namespace perfmodel::wrong_files_test
