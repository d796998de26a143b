// The list of all probes, made of their sources without compiling them.
#include "tests/cli/program.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::probe_list_test {

// The list that is made of sources in `folder`, or what is said instead.
std::string listed(const std::string& folder, const std::string& sources) {
  const Scratch scratch;
  const std::string run = fmt::format(
      "'{}' '-DFROM={}' '-DSOURCES={}' '-DINTO={}' -P '{}/kernels/probes/list.cmake' >'{}' 2>&1",
      PERFMODEL_CMAKE, folder, sources, scratch / "list.hpp", PERFMODEL_SOURCE_DIR, scratch / "said");
  return contents(std::system(run.c_str()) == 0 ? scratch / "list.hpp" : scratch / "said");
}

std::string said_of(const std::string& probes) {
  const Scratch scratch;
  write(scratch / "some.cu", "// Some.\nvoid f() { list[0]; }\n" + probes);
  return listed(scratch.path(), "some.cu");
}

void expect_says(const std::string& probes, const std::string& sentence) {
  EXPECT_NE(said_of(probes).find(sentence), std::string::npos) << sentence << "\n" << said_of(probes);
}

TEST(ProbeList, has_every_probe_of_the_tree) {
  const std::filesystem::path kernels = PERFMODEL_SOURCE_DIR "/kernels";
  std::string sources;
  std::size_t defined = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kernels / "probes")) {
    if (file.path().extension() != ".cu" && file.path().extension() != ".cpp") continue;
    sources += (sources.empty() ? "" : ";") + std::filesystem::relative(file.path(), kernels).string();
    for (const std::string& line : lines_of(contents(file.path())))
      defined += line.find(".order = ") != std::string::npos ? 1 : 0;
  }
  const std::string list = listed(kernels.string(), sources);
  EXPECT_GT(defined, 60u);
  EXPECT_EQ(static_cast<std::size_t>(std::count(list.begin(), list.end(), '&')), defined) << list;
}

TEST(ProbeList, takes_several_of_a_file_and_refuses_what_would_be_lost) {
  const std::string a = "extern const Probe a{\n    .name = \"a-b\", .order = 10, .run = run};\n";
  const std::string b = "extern const Probe b{.name = \"b\",\n  .order = 20,\n .measures = \"x [y\"};\n";
  expect_says(a + b, "    &a,\n    &b,\n};");
  expect_says("const Probe a{.name = \"a\", .order = 10};\n",
              "some.cu: the probe a is to begin with 'extern");
  expect_says("extern const Probe a{.name = \"a\", .run = run};\n",
              "a is to begin with its .name and its .order");
  expect_says(a + "extern const Probe b{.name = \"b\", .order = 10, .run = run};\n",
              "some.cu: the probes a and b have the same order, 10");
}

} // namespace perfmodel::probe_list_test
