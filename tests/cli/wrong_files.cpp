// Files that are not what they should be: one clear sentence that names the file, exit code 2, no answer.
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::wrong_files_test {

void expect_refused(const std::vector<std::string>& arguments, const std::string& said) {
  const Answer a = perfmodel(arguments);
  std::string line;
  for (const std::string& word : arguments) line += word + " ";
  EXPECT_EQ(a.code, 2) << line << "\n" << a.err;
  EXPECT_EQ(a.out, "") << line;
  EXPECT_TRUE(one_sentence(a.err)) << line << "\n" << a.err;
  EXPECT_NE(a.err.find(said), std::string::npos) << line << "\n" << a.err;
  EXPECT_EQ(a.err.find("a bug"), std::string::npos) << a.err;
}

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

TEST(WrongFiles, a_hardware_file) {
  const Scratch scratch;
  const std::string file = scratch / "mine.yaml", good = std::string(head) + source;
  const std::string bomb =
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
      "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nname: *e\n";
  for (const Content& c : {
           Content{"empty", "", "mine.yaml is empty"},
           Content{"blank", "\n\n# nothing\n", "mine.yaml is empty"},
           Content{"a word", "hello", "mine.yaml"},
           Content{"a list", "- a\n- b\n", "mine.yaml"},
           Content{"truncated", good + "facts:\n  sm_count: {value: 16, stat", "mine.yaml:"},
           Content{"truncated head", "name: mine\n", "has no 'title'"},
           Content{"no facts", good, "has no 'facts'"},
           Content{"not YAML", "a: [1, 2\nb: }", "not YAML"},
           Content{"binary", std::string("name: a\0b", 9), "binary file"},
           Content{"random bytes", "\xff\xfe\x01\x02 \x7f\x80\x81: {{{", "mine.yaml"},
           Content{"recursive alias", "name: &a [*a]\ntitle: t\n", "mine.yaml"},
           Content{"recursive map", "&a\nname: mine\ntitle: Mine\narchitecture: \"9.0\"\nfacts: *a\n",
                   "mine.yaml"},
           Content{"alias bomb", bomb, "mine.yaml"},
           Content{"deep", std::string(10'000, '['), "nested too deeply"},
           Content{"deep blocks", "a:\n" + std::string(5'000, ' ') + "b: 1\n", "nested too deeply"},
           Content{"duplicate key",
                   good + "facts:\n  clock: {value: 1 GHz, status: measured, source: here}\n  clock: {value: "
                          "1 GHz, status: measured, source: here}\n",
                   "has the key 'clock' twice, first on line 6"},
           Content{"duplicate head", "name: a\nname: b\n", "mine.yaml:2: the file has the key 'name' twice"},
           Content{"unknown key", good + "facts:\n  sm_cuont: {value: 16, status: measured, source: here}\n",
                   "mine.yaml:6: unknown key 'sm_cuont' (did you mean 'sm_count'?)"},
           Content{"unknown part", good + "facts:\n  sm_count: {value: 16, status: measured, sorce: here}\n",
                   "mine.yaml:6:"},
           Content{"unknown status",
                   good + "facts:\n  sm_count: {value: 16, status: guessed, source: here}\n",
                   "unknown status 'guessed'"},
           Content{"unknown source",
                   good + "facts:\n  sm_count: {value: 16, status: measured, source: there}\n",
                   "unknown source 'there' (did you mean 'here'?)"},
           Content{"wrong unit", good + "facts:\n  clock: {value: 1 s, status: measured, source: here}\n",
                   "mine.yaml:6: 'clock': '1 s' is in s"},
           Content{"wrong magnitude",
                   good + "facts:\n  clock: {value: 1300, status: measured, source: here}\n",
                   "is a prefix wrong?"},
           Content{"not a number",
                   good + "facts:\n  sm_count: {value: .nan, status: measured, source: here}\n",
                   "is not a number"},
           Content{"infinite", good + "facts:\n  sm_count: {value: .inf, status: measured, source: here}\n",
                   "is not a number"},
           Content{"overflow", good + "facts:\n  sm_count: {value: 1e400, status: measured, source: here}\n",
                   "larger than a number can be"},
           Content{"negative", good + "facts:\n  sm_count: {value: -16, status: measured, source: here}\n",
                   "outside"},
           Content{"zero", good + "facts:\n  sm_count: {value: 0, status: measured, source: here}\n",
                   "outside"},
           Content{"no value", good + "facts:\n  sm_count: {status: measured, source: here}\n",
                   "has no 'value'"},
           Content{"empty value", good + "facts:\n  sm_count: {value: , status: measured, source: here}\n",
                   "mine.yaml:6"},
           Content{"unknown architecture",
                   std::string("name: m\ntitle: t\narchitecture: \"9.9\"\n") + source + "facts: {}\n",
                   "unknown architecture '9.9'"},
           Content{"architecture out of the folder",
                   std::string("name: m\ntitle: t\narchitecture: \"../gpus/h200\"\n") + source +
                       "facts: {}\n",
                   "unknown architecture"},
           Content{"odd names", "\"na\\nme\": 1\n", "mine.yaml:1"},
       }) {
    write(file, c.text);
    expect_refused({"roofline", "--hw", file}, c.said);
    expect_refused({"hw", "check", file}, c.said);
    expect_refused({"hw", "show", file}, c.said);
  }
}

TEST(WrongFiles, a_device_without_any_rate_is_told_what_it_lacks) {
  const Scratch scratch;
  const std::string file = scratch / "bare.yaml", database = scratch / "db";
  std::filesystem::create_directories(database + "/gpus");
  std::filesystem::create_directories(database + "/architectures");
  write(database + "/sources.yaml", "here: me\n");
  write(database + "/architectures/1.0.yaml", "name: \"1.0\"\ntitle: t\nfacts: {}\n");
  write(file, "name: bare\ntitle: Bare\narchitecture: \"1.0\"\nfacts: {}\n");
  expect_refused({"--hwdb", database, "roofline", "--hw", file}, "bare has no");
  expect_refused({"--hwdb", database, "balance", "--hw", file}, "bare has no");
  expect_refused({"--hwdb", database, "littles-law", "--hw", file}, "bare has no");
}

TEST(WrongFiles, what_a_careful_reader_finds_is_a_list_of_slips) {
  const Scratch scratch;
  const std::string file = scratch / "slips.yaml";
  write(file, std::string(head) + source +
                  "facts:\n"
                  "  dram.bus: {value: 384 bit, status: measured, source: here}\n"
                  "  dram.data_rate: {value: 4 Gbit/s, status: measured, source: here}\n"
                  "  dram.bandwidth: {value: 100 GB/s, status: measured, source: here}\n"
                  "  l1.latency: {value: 300, status: measured, source: here}\n"
                  "  l2.latency: {value: 200, status: measured, source: here}\n");
  const Answer a = perfmodel({"hw", "check", file});
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.out, "");
  EXPECT_EQ(lines_of(a.err).size(), 2u) << a.err;
  for (const std::string& line : lines_of(a.err))
    EXPECT_NE(line.find("slips.yaml:"), std::string::npos) << line;
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
