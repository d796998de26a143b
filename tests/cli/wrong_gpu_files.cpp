// Hardware files that are not what they should be.
#include "refused.hpp"

#include <gtest/gtest.h>

namespace perfmodel::wrong_gpu_files_test {

using refused::expect_refused;

struct Content {
  const char* what;
  std::string text;
  const char* said;
};

const char* const head = "name: mine\ntitle: Mine\narchitecture: \"9.0\"\n";
const char* const source = "sources: {here: \"my own measurement\"}\n";

TEST(WrongGpuFiles, a_hardware_file) {
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

TEST(WrongGpuFiles, a_device_without_any_rate_is_told_what_it_lacks) {
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

TEST(WrongGpuFiles, what_a_careful_reader_finds_is_a_list_of_slips) {
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

} // namespace perfmodel::wrong_gpu_files_test
