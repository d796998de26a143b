#include "models/access/constant_cache.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::constant_cache_test {

ConstantCache::Read read(const Gpu& gpu, const ConstantCache::Input& in) {
  Plain plain;
  return ConstantCache::predict(gpu, in, plain).back();
}
ConstantCache::Input words(double count) {
  ConstantCache::Input in;
  in.words = count;
  return in;
}
ConstantCache::Input indexed(const std::string& index, Shape block = {32, 1, 1}) {
  ConstantCache::Input in;
  in.index = Expression::from_text(index);
  in.block = block;
  return in;
}

TEST(ConstantCache, a_pass_for_each_different_word) {
  for (int w = 1; w <= 32; ++w) EXPECT_EQ(read(gpu_named("h200"), words(w)).passes, w);
}

// Programming guide 4.2, 5.3.2.4: each half-warp of cc 1.x is a request of its own. By hand, tid % 17 is 16
// different words in either half.
TEST(ConstantCache, half_warps_of_old_gpus_make_passes_of_their_own) {
  const Gpu gpu = gpu_named("gtx280");
  EXPECT_EQ(read(gpu, words(1)).passes, 2);
  EXPECT_EQ(read(gpu, words(3)).passes, 6);
  EXPECT_EQ(read(gpu, words(17)).passes, 32);
  EXPECT_EQ(read(gpu, words(17)).words, 17);
  EXPECT_EQ(read(gpu, words(1)).advice, "none: the threads of a request read one word");
  EXPECT_EQ(read(gpu, indexed("tid / 16")).passes, 2);
}

TEST(ConstantCache, an_index_is_counted_over_the_warps_of_a_block) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_EQ(read(gpu, indexed("y", {16, 16, 1})).passes, 2);
  EXPECT_EQ(read(gpu, indexed("x", {16, 16, 1})).passes, 16);
  EXPECT_EQ(read(gpu, indexed("warp ? lane : 7", {64, 1, 1})).passes, 16.5);
  ConstantCache::Input in = indexed("tid", {64, 1, 1});
  in.predicate = Expression::from_text("tid < 8");
  EXPECT_EQ(read(gpu, in).passes, 8) << "the second warp reads nothing";
}

TEST(ConstantCache, cycles_and_latency_grow_with_the_passes) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"constant.cycles_per_word", "4 cycle"},
                                                 {"constant.latency", "30 cycle"},
                                                 {"constant.latency_per_word", "5 cycle"}});
  EXPECT_EQ(read(gpu, words(1)).cycles.value, 4);
  EXPECT_EQ(read(gpu, words(8)).cycles.value, 32);
  EXPECT_EQ(read(gpu, words(1)).latency.value, 30);
  EXPECT_EQ(read(gpu, words(8)).latency.value, 65);
}

TEST(ConstantCache, what_nobody_measured_is_assumed_and_says_so) {
  const Result asked = ask("constant-cache", gpu_named("gtx280"));
  const Table& rows = asked.tables.front();
  for (std::size_t row = 0; row < rows.rows(); ++row) EXPECT_EQ(rows.at("grade").text(row), "assumed") << row;
  EXPECT_EQ(asked.grade, Grade::assumed);
}

TEST(ConstantCache, every_architecture_says_how_many_threads_a_request_has) {
  for (const std::string& cc : every_compute_capability()) {
    const auto threads = database().architecture(cc).at(facts::constant_request_threads).value;
    EXPECT_EQ(threads, cc.substr(0, 2) == "1." ? 16 : 32) << cc;
  }
}

TEST(ConstantCache, wrong_input_is_a_sentence) {
  const auto refused = [](const Words& options) {
    return error_of([&] { ask("constant-cache", gpu_named("h200"), options); });
  };
  EXPECT_EQ(refused({{"words", "33"}}), "--words: a warp of 32 threads reads at most 32 different words");
  EXPECT_EQ(refused({{"words", "2"}, {"index", "tid"}}),
            "--words and --index both say what a thread reads: give one of them");
  EXPECT_EQ(refused({{"index", "tid*20000"}}),
            "--index: thread 1 of the block would read word 20000, but constant memory has words 0 to 16383");
  EXPECT_NE(refused({{"index", "0 - 1"}}).find("word -1"), std::string::npos);
  EXPECT_EQ(refused({{"index", "16383"}}), "no error");
  EXPECT_EQ(refused({{"if", "tid < 0"}}), "--if: no thread of the block reads anything");
  EXPECT_EQ(refused({{"let", "words=2"}}), "--let: without --index, --words says the different words");
}

} // namespace perfmodel::constant_cache_test
