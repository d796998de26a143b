#include "models/parallel/work_depth.hpp"

#include "models/validation/validate.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace perfmodel::work_depth_test {

const char* const all_names[] = {"reduction",       "scan-serial",  "scan-hillis-steele",
                                 "scan-blelloch",   "matmul-loops", "matmul-divide-and-conquer",
                                 "matmul-in-place", "transpose",    "fft"};

// 64 processors, a cache of 64 KiB with lines of 32 B, words of 4 B: then no fact is read.
Result answer(const Words& more) {
  Words words{{"processors", "64"}, {"cache", "64KiB"}, {"line", "32"}};
  for (const auto& [name, text] : more) {
    std::erase_if(words, [&, n = name](const auto& w) { return w.first == n; });
    words.emplace_back(name, text);
  }
  return ask("work-depth", Gpu{.name = "none"}, words);
}
double cell(const std::string& algorithm, const std::string& n, const char* column, Words more = {}) {
  more.emplace_back("algorithm", algorithm);
  more.emplace_back("n", n);
  for (const Table& table : answer(more).tables)
    if (const Column* c = table.find(column)) return c->number(0);
  throw std::runtime_error("no such column");
}

// W / D = 2^24 / 24: R. Vuduc, GPU tuning, part 1, slides 94 and 95.
TEST(WorkDepth, a_reduction_of_2_to_the_24_keeps_699051_processors_busy) {
  EXPECT_EQ(cell("reduction", "16777216", "work"), 16777215);
  EXPECT_EQ(cell("reduction", "16777216", "depth"), 24);
  EXPECT_EQ(std::round(cell("reduction", "16777216", "parallelism")), 699051);
}

// R. Giorgi, lesson 30, prints 10^6 beside the code by divide and conquer.
TEST(WorkDepth, a_product_of_1000_rows_names_the_algorithm_that_has_a_parallelism_of_a_million) {
  EXPECT_EQ(cell("matmul-loops", "1000", "parallelism"), 1e6);
  EXPECT_EQ(cell("matmul-in-place", "1000", "parallelism"), 1e6);
  EXPECT_EQ(cell("matmul-divide-and-conquer", "1000", "parallelism"), 1e7);
  const Result r = answer({{"algorithm", "matmul-divide-and-conquer"}});
  EXPECT_EQ(text(r, "how it is counted", "work_and_depth"), "Theta");
}

TEST(WorkDepth, agrees_with_what_lectures_print) {
  std::vector<Series> own;
  for (Series& s : database().published("any"))
    if (s.model == "work-depth") own.push_back(std::move(s));
  const Score score = score_of(validate(gpu_named("m2090"), own));
  EXPECT_EQ(score.scored, 1u);
  EXPECT_EQ(score.out, 0u);
}

// x[t] += x[t + s] by all threads at once, s = 1, 2, 4, ..: J. Verschelde's exercise. Returns the sums and
// the additions.
std::pair<std::vector<std::int64_t>, std::int64_t> suffix_sums(std::int64_t n) {
  std::vector<std::int64_t> x(static_cast<std::size_t>(n));
  std::iota(x.begin(), x.end(), 1);
  std::int64_t additions = 0;
  for (std::size_t s = 1; s < x.size(); s *= 2) {
    const std::vector<std::int64_t> before = x;
    for (std::size_t t = 0; t + s < x.size(); ++t, ++additions) x[t] += before[t + s];
  }
  return {x, additions};
}

// The sum of 1 to 32 is 528, that of 1 to 33792 is 33792 x 33793 / 2.
TEST(WorkDepth, unsynchronised_steps_make_suffix_sums_with_lg_n_times_the_work) {
  EXPECT_EQ(suffix_sums(32).first.front(), 528);
  EXPECT_EQ(suffix_sums(33792).first.front(), 570966528);
  for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 1000, 33792}) {
    const auto [sums, additions] = suffix_sums(n);
    for (std::size_t t = 0; t < sums.size(); ++t) {
      const auto from = static_cast<std::int64_t>(t) + 1;
      ASSERT_EQ(sums[t], (from + n) * (n - from + 1) / 2) << "from " << from << " of " << n;
    }
    EXPECT_EQ(cell("scan-hillis-steele", std::to_string(n), "work"), static_cast<double>(additions)) << n;
  }
  EXPECT_EQ(cell("scan-hillis-steele", "32", "depth"), 5);
}

// Additions of the tree itself, level by level.
TEST(WorkDepth, a_tree_adds_n_minus_1_times_in_as_many_steps_as_it_has_levels) {
  for (int n : {1, 2, 3, 4, 5, 31, 32, 33, 1000}) {
    int additions = 0, steps = 0;
    for (int left = n; left > 1; left = (left + 1) / 2, ++steps) additions += left / 2;
    EXPECT_EQ(cell("reduction", std::to_string(n), "work"), additions) << n;
    EXPECT_EQ(cell("reduction", std::to_string(n), "depth"), steps) << n;
  }
}

// By hand, n = 8: 7 additions up, 7 down in 3 + 3 steps; 3 stages of 4 butterflies. 9 is filled up to 16.
TEST(WorkDepth, scans_and_ffts_are_filled_up_to_a_power_of_two) {
  EXPECT_EQ(cell("scan-blelloch", "8", "work"), 14);
  EXPECT_EQ(cell("scan-blelloch", "8", "depth"), 6);
  EXPECT_EQ(cell("scan-blelloch", "9", "work"), 30);
  EXPECT_EQ(cell("fft", "8", "work"), 12);
  EXPECT_EQ(cell("fft", "8", "depth"), 3);
  EXPECT_EQ(cell("fft", "9", "work"), 32);
  EXPECT_EQ(cell("scan-serial", "9", "parallelism"), 1);
}

// log2 of 2^50 + 1 rounds to 50.
TEST(WorkDepth, depth_is_exact_beyond_what_a_logarithm_tells) {
  EXPECT_EQ(cell("reduction", "562949953421312", "depth"), 49);
  EXPECT_EQ(cell("reduction", "562949953421313", "depth"), 50);
}

// W = 15, D = 4, P = 4: 15 / 4 is 4 steps, D is 4; 15 / 4 + 4 x 3 / 4 = 6.75.
TEST(WorkDepth, brents_bounds_are_whole_steps) {
  const Words four{{"processors", "4"}};
  EXPECT_EQ(cell("reduction", "16", "steps_at_least", four), 4);
  EXPECT_EQ(cell("reduction", "16", "steps_at_most", four), 6);
  EXPECT_EQ(cell("reduction", "16", "speedup_at_most", four), 15 / 4.0);
  const Words one{{"processors", "1"}};
  EXPECT_EQ(cell("reduction", "16", "steps_at_least", one), 15);
  EXPECT_EQ(cell("reduction", "16", "steps_at_most", one), 15);
  EXPECT_EQ(cell("reduction", "16", "speedup_at_most", one), 1);
}

// A greedy schedule of the tree: a level of k additions takes ceil(k / P) steps.
TEST(WorkDepth, a_level_by_level_reduction_keeps_within_brents_bounds) {
  for (int n : {2, 7, 64, 100, 1000})
    for (int p : {1, 2, 3, 16, 64, 1000}) {
      int steps = 0;
      for (int left = n; left > 1; left = (left + 1) / 2) steps += (left / 2 + p - 1) / p;
      const Words words{{"processors", std::to_string(p)}};
      EXPECT_GE(steps, cell("reduction", std::to_string(n), "steps_at_least", words)) << n << ", " << p;
      EXPECT_LE(steps, cell("reduction", std::to_string(n), "steps_at_most", words)) << n << ", " << p;
    }
}

TEST(WorkDepth, one_number_needs_nothing_and_one_element_one_operation) {
  for (const char* name : {"reduction", "scan-serial", "scan-hillis-steele", "scan-blelloch", "fft"}) {
    EXPECT_EQ(cell(name, "1", "work"), 0) << name;
    EXPECT_EQ(cell(name, "1", "steps_at_most"), 0) << name;
    EXPECT_TRUE(std::isnan(cell(name, "1", "parallelism"))) << name;
  }
  for (const char* name : {"matmul-loops", "matmul-divide-and-conquer", "matmul-in-place", "transpose"})
    EXPECT_EQ(cell(name, "1", "parallelism"), 1) << name;
}

TEST(WorkDepth, work_covers_depth_and_neither_falls_with_n) {
  for (const char* name : all_names) {
    double work = 0, depth = 0, misses = 0;
    for (const char* n :
         {"1", "2", "3", "7", "8", "9", "100", "127", "128", "129", "1000", "4096", "1000000"}) {
      const Result r = answer({{"algorithm", name}, {"n", n}});
      const double w = number(r, "work and depth", "work"), d = number(r, "work and depth", "depth"),
                   q = number(r, "cache misses", "misses");
      EXPECT_GE(w, d) << name << ", " << n;
      EXPECT_GE(w, work) << name << ", " << n;
      EXPECT_GE(d, depth) << name << ", " << n;
      EXPECT_GE(q, misses) << name << ", " << n;
      EXPECT_LE(number(r, "Brent's bounds", "steps_at_least"), number(r, "Brent's bounds", "steps_at_most"))
          << name << ", " << n;
      work = w, depth = d, misses = q;
    }
  }
}

TEST(WorkDepth, reads_nothing_of_a_gpu_that_is_told_everything) {
  EXPECT_EQ(error_of([] { answer({}); }), "no error");
  const Gpu gpu = gpu_named("m2090");
  EXPECT_EQ(number(ask("work-depth", gpu), "Brent's bounds", "processors"), 16 * 32);
  EXPECT_EQ(number(ask("work-depth", gpu), "cache misses", "cache"), 768 * 1024);
  EXPECT_EQ(number(ask("work-depth", gpu_named("gtx280")), "cache misses", "cache"), 30 * 16384)
      << "what is there is no cache of global memory";
}

TEST(WorkDepth, a_line_may_hold_one_word_and_a_cache_one_line) {
  EXPECT_EQ(error_of([] { answer({{"word", "32"}, {"line", "32"}}); }), "no error");
  EXPECT_NE(error_of([] { answer({{"word", "33"}, {"line", "32"}}); }), "no error");
  EXPECT_EQ(error_of([] { answer({{"line", "64"}, {"cache", "64"}}); }), "no error");
  EXPECT_NE(error_of([] { answer({{"line", "65"}, {"cache", "64"}}); }), "no error");
  EXPECT_EQ(cell("reduction", "1000", "misses", {{"word", "32"}, {"line", "32"}}), 1000) << "a line for each";
}

TEST(WorkDepth, refuses_what_cannot_be_counted) {
  EXPECT_EQ(error_of([] { answer({{"n", "1e16"}}); }), "--n: 1e+16 given, at most 1e+15 is expected");
  EXPECT_EQ(error_of([] { answer({{"word", "64"}}); }), "--word 64 B: a line of 32 B does not hold it");
  EXPECT_EQ(error_of([] { answer({{"cache", "16"}}); }), "--cache 16 B: it does not hold a line of 32 B");
  for (const char* n : {"0", "-1", "1.5", "nan"})
    EXPECT_NE(error_of([&] { answer({{"n", n}}); }), "no error") << n;
}

// A lecture's laptop: 32 numbers in five steps. Of its caches too little is published for the rest.
TEST(WorkDepth, an_apple_m1_sums_32_numbers_in_five_steps) {
  const Result r = ask("work-depth", gpu_named("apple-m1"), {{"n", "32"}, {"algorithm", "reduction"}});
  const Table& counts = table_of(r, "work and depth");
  EXPECT_EQ(counts.at("work").number(0), 31);
  EXPECT_EQ(counts.at("depth").number(0), 5);
  EXPECT_TRUE(std::none_of(r.tables.begin(), r.tables.end(),
                           [](const Table& t) { return t.title == "cache misses" && t.rows() > 0; }));
  const Result with = ask("work-depth", gpu_named("apple-m1"), {{"n", "32"}, {"line", "128B"}});
  EXPECT_GT(table_of(with, "cache misses").rows(), 0U);
}

} // namespace perfmodel::work_depth_test
