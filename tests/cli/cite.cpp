// How the program, its data and their sources are cited, and what was measured under which conditions.
#include "cli/citation.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cite_test {

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(Cite, tells_version_licence_and_whose_the_data_are) {
  const Answer a = perfmodel(words("cite"));
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string version = words(perfmodel({"--version"}).out).at(1);
  for (const std::string& what : {"version " + version, std::string("MIT licence"),
                                  std::string("for its data"), std::string("The perfmodel developers")})
    EXPECT_TRUE(says(a.out, what)) << what << "\n" << a.out;
}

TEST(Cite, names_each_source_of_a_gpu_once_and_no_recollection) {
  const Answer a = perfmodel(words("cite --hw m2090,h200 --model roofline,reduction --format csv --table 2"));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(says(a.out, "roofline,formula of the model,\"Williams, Waterman, Patterson")) << a.out;
  EXPECT_TRUE(says(a.out, "m2090,9 facts,\"R. Vuduc")) << a.out;
  EXPECT_TRUE(says(a.out, "perfmodel's own probes; 'perfmodel hw runs h200'"));
  EXPECT_FALSE(says(a.out, "our probe "));
  EXPECT_FALSE(says(a.out, "recollection"));
  std::istringstream lines(a.out);
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(seen.insert(line).second) << line;
}

TEST(Cite, writes_bibtex_with_an_entry_for_each_source) {
  const Scratch scratch;
  const std::string file = scratch.path() + "/refs.bib";
  ASSERT_EQ(perfmodel({"cite", "--model", "roofline", "-o", file}).code, 0);
  const std::string text = contents(file);
  EXPECT_EQ(text, perfmodel(words("cite --model roofline --format bibtex")).out);
  EXPECT_EQ(text.rfind("@misc{perfmodel,\n  author = {{The perfmodel developers}},", 0), 0U) << text;
  EXPECT_TRUE(says(text, "@misc{perfmodel:roofline:1,\n  title = {{Williams, Waterman, Patterson")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

TEST(Cite, refuses_what_it_does_not_know) {
  EXPECT_EQ(perfmodel(words("cite --hw m2900")).code, 2);
  EXPECT_EQ(perfmodel(words("cite --model rofline")).code, 2);
  EXPECT_EQ(perfmodel(words("cite --format ris")).code, 2);
  EXPECT_THROW(cli::parse_citation("title: x\n"), std::exception);
}

TEST(HwShow, says_licence_and_conditions) {
  const std::string out = perfmodel(words("hw show h200")).out;
  EXPECT_TRUE(says(out, "MIT licence"));
  EXPECT_TRUE(says(out, "hw runs h200"));
}

// hwdb/measured/h200/atomics.json: one probe of six rows, eleven samples of each.
TEST(HwRuns, has_points_samples_clock_driver_and_cuda_of_each_run) {
  const Answer a = perfmodel(words("hw runs h200 --format csv --table 1"));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(says(a.out, "\natomics,2026-11-26,6,6,11,1.98 GHz,580.159.04,13.0,1,a1a9b56,NVIDIA H200"))
      << a.out;
}

TEST(HwRuns, says_where_nothing_was_measured) {
  const Answer a = perfmodel(words("hw runs m2090"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(says(a.out, "Nothing of ours was measured on m2090"));
}

// Two kernels in one question: one row each, the gain over the first.
TEST(Listings, stand_side_by_side_with_time_bytes_and_gain) {
  const Answer a = perfmodel(words("kernel axpy,copy --hw h200,m2090 --format csv --table 1"));
  ASSERT_EQ(a.code, 0) << a.err;
  std::istringstream lines(a.out);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 5U) << a.out;
  EXPECT_EQ(rows[0].rfind("gpu,listing,time [s],gain,bound,dram_read [B],dram_written [B]", 0), 0U)
      << rows[0];
  EXPECT_EQ(rows[1].rfind("h200,axpy,", 0), 0U) << rows[1];
  EXPECT_EQ(rows[4].rfind("m2090,copy,", 0), 0U) << rows[4];
  EXPECT_TRUE(says(perfmodel(words("kernel softmax,softmax-online --hw h200 --let rows=64,columns=512")).out,
                   "times as fast as softmax"));
}

TEST(Listings, are_refused_where_only_one_can_be_asked_about) {
  for (const char* more : {"--view stalls", "--kernel x", "--published"})
    EXPECT_EQ(perfmodel(words(std::string("kernel axpy,copy --hw h200 ") + more)).code, 2) << more;
  EXPECT_EQ(perfmodel(words("kernel axpy,axpy --hw h200")).code, 2);
  EXPECT_EQ(perfmodel(words("kernel axpy,, --hw h200")).code, 2);
  EXPECT_EQ(perfmodel(words("kernel axpy,nothing --hw h200")).code, 2);
}

} // namespace perfmodel::cite_test
