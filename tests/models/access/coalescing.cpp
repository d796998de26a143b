#include "models/access/coalescing.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <set>

#include <gtest/gtest.h>

namespace perfmodel::coalescing_test {

constexpr const char* table = "access pattern";

double value(const char* gpu, const Words& options, const char* column) {
  return number(ask("coalescing", gpu_named(gpu), options), table, column);
}
std::string words_of(const char* gpu, const Words& options, const char* column) {
  return text(ask("coalescing", gpu_named(gpu), options), table, column);
}

TEST(Coalescing, has_the_efficiency_of_its_table_over_a_whole_launch) {
  EXPECT_DOUBLE_EQ(value("gtx280", {{"offset", "1"}}, "efficiency"), 128.0 / 224);
  EXPECT_DOUBLE_EQ(value("8800gtx", {{"offset", "1"}}, "efficiency"), 0.125);
  EXPECT_DOUBLE_EQ(value("m2090", {{"offset", "1"}}, "efficiency"), 0.5);
  EXPECT_DOUBLE_EQ(value("m2090", {{"offset", "1"}, {"cache", "l2"}}, "efficiency"), 0.8);
  EXPECT_DOUBLE_EQ(value("h200", {{"stride", "3"}}, "transactions_per_request"), 12);
  EXPECT_DOUBLE_EQ(value("h200", {{"permutation", "shuffled"}}, "efficiency"), 1);
  EXPECT_DOUBLE_EQ(value("8800gtx", {{"permutation", "reversed"}}, "efficiency"), 0.125);
}

// At stride 32 each lane has a sector for itself, of 8 words; consecutive words fill them. Two atoms of 32 B
// come for one.
TEST(Coalescing, says_how_much_slower_than_words_side_by_side_and_that_shared_words_count_for_each_lane) {
  const auto verdict = [](const char* stride) {
    return ask("coalescing", measured_gpu("h200"), {{"stride", stride}}).verdict.front();
  };
  EXPECT_NE(verdict("32").find("288.7 GB/s, 16 times as slow as words side by side"), std::string::npos)
      << verdict("32");
  EXPECT_EQ(verdict("1").find("as slow as"), std::string::npos) << verdict("1");
  EXPECT_NE(verdict("0").find(", a word counted for each lane that shares it"), std::string::npos)
      << verdict("0");
}

TEST(Coalescing, of_one_word_for_all_moves_less_than_was_asked_for) {
  EXPECT_DOUBLE_EQ(value("h200", {{"stride", "0"}}, "requested_per_moved"), 4);
  EXPECT_DOUBLE_EQ(value("h200", {{"stride", "0"}}, "efficiency"), 0.125);
}

// A shifted stream reads one atom of device memory more than it asks for and writes one sector more, whatever
// each warp moves: neighbours share.
TEST(Coalescing, of_a_shifted_stream_costs_dram_nothing_where_there_is_a_cache) {
  const double one_sector_more = 1 + 32.0 / (4 * 32768);
  EXPECT_DOUBLE_EQ(value("h200", {{"offset", "1"}}, "dram_read"), 1 + 64.0 / (4 * 32768));
  EXPECT_DOUBLE_EQ(value("h200", {{"offset", "1"}, {"access", "store"}}, "dram_written"), one_sector_more);
  EXPECT_DOUBLE_EQ(value("gtx280", {{"offset", "1"}}, "dram_read"), 1.75);
  EXPECT_NEAR(value("h200", {{"offset", "1"}, {"grid", "4"}}, "block_reuse"), 40.0 / 33, 1e-12);
}

// A block's 256 words come in no order and more than once: its different sectors are counted all the same.
TEST(Coalescing, of_words_in_no_order_counts_the_different_sectors_of_each_block) {
  double loaded = 0, different = 0;
  for (std::int64_t block = 0; block < 4; ++block) {
    std::set<std::int64_t> of_block;
    for (std::int64_t warp = 0; warp < 8; ++warp) {
      std::set<std::int64_t> of_warp;
      for (std::int64_t lane = 0; lane < 32; ++lane)
        of_warp.insert((block * 256 + warp * 32 + lane) * 7919 % 1000 * 4 / 32);
      loaded += static_cast<double>(of_warp.size());
      of_block.insert(of_warp.begin(), of_warp.end());
    }
    different += static_cast<double>(of_block.size());
  }
  const Words words{{"index", "gid*7919 % 1000"}, {"block", "256"}, {"grid", "4"}};
  EXPECT_EQ(value("h200", words, "transactions"), loaded);
  EXPECT_DOUBLE_EQ(value("h200", words, "block_reuse"), loaded / different);
}

// As one H200 counted on 2026-11-20: a copy at stride 2 reads twice the source's span; each sector is written
// whole.
TEST(Coalescing, of_sectors_written_in_part_reads_them_first) {
  const Words copy{{"access", "copy"}, {"stride", "2"}};
  EXPECT_DOUBLE_EQ(value("h200", copy, "dram_read"), 2);
  EXPECT_DOUBLE_EQ(value("h200", copy, "dram_written"), 1);
  EXPECT_DOUBLE_EQ(value("h200", {{"access", "store"}}, "dram_read"), 0);
  EXPECT_NE(words_of("h200", copy, "bound").find("written in part"), std::string::npos);
}

TEST(Coalescing, of_a_big_copy_in_order_has_the_bandwidth_that_was_measured) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.dram.read", "4.6 TB/s"},
                                                 {"sustained.dram.write", "4.7 TB/s"},
                                                 {"sustained.dram.copy", "4.3 TB/s"}});
  EXPECT_NEAR(number(ask("coalescing", gpu, {{"access", "copy"}}), table, "bandwidth"), 4.3e12, 1e3);
  EXPECT_NEAR(number(ask("coalescing", gpu, {{"access", "load"}}), table, "bandwidth"), 4.6e12, 1e3);
  EXPECT_NEAR(number(ask("coalescing", gpu, {{"access", "store"}}), table, "bandwidth"), 4.7e12, 1e3);
  EXPECT_NEAR(value("gtx280", {{"access", "copy"}}, "bandwidth"), 112.4e9, 1);
  EXPECT_NEAR(value("gtx280", {{"access", "copy"}, {"stride", "2"}}, "bandwidth"), 56.2e9, 1);
}

// R = W: 2 / copy. R = 2 W: the triad's mix, 1 % from what was measured for it.
TEST(Coalescing, puts_reads_and_writes_of_unequal_number_between_read_and_copy) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.dram.read", "4 TB/s"},
                                                 {"sustained.dram.write", "4 TB/s"},
                                                 {"sustained.dram.copy", "3.2 TB/s"}});
  // Per TB written: 2 / 4 + 1 / 4 + (2 / 3.2 - 2 / 4) = 0.875 s for 3 TB that move 1 TB asked for (a stride
  // of 2 asks for half of what it reads first and half of what it writes).
  const double bandwidth =
      number(ask("coalescing", gpu, {{"access", "copy"}, {"stride", "2"}}), table, "bandwidth");
  EXPECT_NEAR(bandwidth, 1e12 / 0.875, 1e6);
}

TEST(Coalescing, takes_expressions_masks_and_names) {
  const Words rows{{"block", "32x8"}, {"index", "col*n + row"}, {"let", "n=1024"}, {"grid", "4x4"}};
  EXPECT_DOUBLE_EQ(value("h200", rows, "transactions_per_request"), 32);
  EXPECT_NE(words_of("h200", rows, "advice").find("Swap x and y"), std::string::npos);
  EXPECT_DOUBLE_EQ(value("h200", {{"if", "lane < 8"}}, "transactions_per_request"), 1);
  EXPECT_DOUBLE_EQ(value("h200", {{"if", "warp % 2 == 0"}, {"grid", "1"}}, "requests"), 4);
}

// 132 SMs at 1.98 GHz. One word for the warp: 128 B of registers from 32 B that are moved once.
TEST(Coalescing, of_shared_words_is_bound_by_what_l1_hands_to_registers) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.l1", "33 TB/s"}});
  const Result words = ask("coalescing", gpu, {{"stride", "0"}});
  EXPECT_DOUBLE_EQ(number(words, table, "bandwidth"), 33e12);
  EXPECT_NE(text(words, table, "bound").find("L1"), std::string::npos);
  // A byte takes a register as a word does.
  EXPECT_DOUBLE_EQ(number(ask("coalescing", gpu, {{"stride", "0"}, {"word", "1"}}), table, "bandwidth"),
                   33e12 / 4);
  // 16 SMs x 32 banks x 4 B / 2 cycles x 1.301 GHz, where nobody measured L1.
  EXPECT_NEAR(value("m2090", {{"index", "bx"}}, "bandwidth"), 16 * 32 * 4 / 2 * 1.301e9, 1e6);
}

TEST(Coalescing, counts_the_lines_of_each_load_where_their_rate_was_measured) {
  const Words columns{{"index", "col*n + row"}, {"let", "n=1025"}, {"block", "32x8"}, {"grid", "32x128"}};
  const auto bandwidth = [&](const char* rate, const Words& options) {
    return number(ask("coalescing", with_facts(gpu_named("h200"), {{"l1.line_rate", rate}}), options), table,
                  "bandwidth");
  };
  // 32 lines for 128 B, each in a bank of its own: 2 lines a cycle are 8 B for each of 132 SMs.
  EXPECT_NEAR(bandwidth("2", columns), 132 * 1.98e9 * 8, 1e6);
  EXPECT_NEAR(bandwidth("1", columns), 132 * 1.98e9 * 4, 1e6);
  // In order a load has one line, 128 B for a cycle: DRAM decides.
  EXPECT_DOUBLE_EQ(bandwidth("1", {}), value("h200", {}, "bandwidth"));
}

TEST(Coalescing, says_what_it_counted_and_asks_for_a_grid_that_matters) {
  EXPECT_EQ(words_of("h200", {}, "grid_walked"), "128");
  EXPECT_EQ(words_of("h200", {{"index", "gid"}, {"grid", "4x4"}}, "grid_walked"), "4x4");
  const auto error = [](const Words& options) {
    return error_of([&] { ask("coalescing", gpu_named("h200"), options); });
  };
  const Words rows{{"index", "row*n + col"}, {"let", "n=4000"}, {"block", "16x16"}};
  EXPECT_NE(error(rows).find("'row' in blocks of 16x16: say what grid"), std::string::npos);
  EXPECT_NE(error({{"index", "by"}}).find("--grid"), std::string::npos);
  EXPECT_NE(error({{"if", "y < 3"}, {"block", "16x16"}}).find("--if reads 'y'"), std::string::npos);
  EXPECT_EQ(error({{"index", "col + y"}}), "no error") << "blocks of one row";
  EXPECT_EQ(error({{"index", "gid"}, {"block", "16x16"}}), "no error");
}

// 'tid' counts the threads of one block: nobody who has several means the same words in each.
TEST(Coalescing, an_index_that_is_the_same_in_every_block_gets_a_warning_with_what_to_write) {
  const auto advice = [](const Words& options) { return words_of("h200", options, "advice"); };
  const auto warns = [&](const Words& options) {
    return advice(options).rfind("Every block touches the same words", 0) == 0;
  };
  EXPECT_NE(advice({{"index", "tid*32"}}).find("write --index 'gid*32'. "), std::string::npos)
      << advice({{"index", "tid*32"}});
  EXPECT_NE(advice({{"index", "x*n + xs"}, {"let", "n=4,xs=1"}}).find("'col*n + xs'"), std::string::npos);
  EXPECT_NE(advice({{"index", "lane"}}).find("write it with gid"), std::string::npos);
  EXPECT_TRUE(warns({{"index", "dx*x"}})) << "the sides of a block are those of every block";
  for (const char* index : {"gid*32", "bx*dx + tid", "col*32"})
    EXPECT_FALSE(warns({{"index", index}})) << index;
  EXPECT_FALSE(warns({{"index", "tid*32"}, {"grid", "1"}})) << "one block";
  EXPECT_FALSE(warns({{"stride", "32"}}));
  EXPECT_NE(advice({{"index", "tid*32"}}).find("shared memory"), std::string::npos) << "and what else costs";
}

TEST(Coalescing, advises_by_the_pattern) {
  EXPECT_NE(words_of("h200", {{"stride", "3"}}, "advice").find("struct of 3 words"), std::string::npos);
  EXPECT_NE(words_of("h200", {{"offset", "1"}}, "advice").find("multiple of 8 words"), std::string::npos);
  EXPECT_NE(words_of("m2090", {{"offset", "1"}}, "advice").find("multiple of 32 words"), std::string::npos);
  EXPECT_NE(words_of("8800gtx", {{"permutation", "reversed"}}, "advice").find("thread k"), std::string::npos);
  EXPECT_NE(words_of("h200", {{"stride", "0"}}, "advice").find("constant memory"), std::string::npos);
  const Words columns{{"index", "col*n + row"}, {"let", "n=4000"}, {"block", "16x16"}, {"grid", "8x8"}};
  EXPECT_NE(words_of("h200", columns, "advice").find("Swap x and y"), std::string::npos);
  EXPECT_NE(words_of("8800gtx", {{"word", "1"}}, "advice").find("char4"), std::string::npos);
  EXPECT_NE(words_of("8800gtx", {{"word", "2"}}, "advice").find("never coalesced"), std::string::npos);
  EXPECT_NE(words_of("gtx280", columns, "bound").find("partition-camping"), std::string::npos);
  EXPECT_NE(words_of("gtx280", {{"cache", "l1"}}, "bound").find("--cache has no part"), std::string::npos);
  EXPECT_NE(words_of("gtx280", {{"word", "1"}}, "advice").find("wider words"), std::string::npos);
  EXPECT_NE(words_of("h200", {{"if", "tid < 5"}}, "advice").find("has 5 active threads"), std::string::npos);
  EXPECT_NE(words_of("h200", {{"if", "tid >= 5"}}, "advice").find("idle lanes"), std::string::npos);
  EXPECT_NE(words_of("h200", {{"block", "33"}, {"index", "gid"}}, "advice").find("multiple of 32 threads"),
            std::string::npos);
  EXPECT_NE(words_of("h200", {}, "advice").find("Nothing to gain"), std::string::npos);
}

// Its 8 lanes take 32 B a cycle, 41 GB/s at 1.296 GHz; device memory has 141.7.
TEST(Coalescing, one_sm_of_a_gt200_loads_no_more_than_its_lanes_take) {
  const Gpu one = with_facts(gpu_named("gtx280"), {{"sm_count", "1"}});
  const double clock = one.at(facts::clock).value.value;
  EXPECT_DOUBLE_EQ(number(ask("coalescing", one), "access pattern", "bandwidth"), 32 * clock);
  EXPECT_EQ(text(ask("coalescing", one), "access pattern", "bound"), "SMs, bytes handed to registers");
}

// d[i] = s[i], a word of each thread, in blocks of 256: 2715, 2605, 2618 and 2596 GB/s at offsets of 0, 1, 8
// and 31 words, 217 and 170 at strides of 24 and 32, on an H200. With as many words in flight as it takes the
// same patterns are said to reach 4.3 TB/s.
TEST(Coalescing, threads_of_one_word_wait_for_it) {
  const auto rate = [](const char* what, const char* words) {
    return number(ask("coalescing", measured_gpu("h200"), {{"access", "copy"}, {what, words}, {"ilp", "1"}}),
                  table, "bandwidth");
  };
  EXPECT_NEAR(rate("offset", "0") / 2715e9, 1, 0.1);
  EXPECT_NEAR(rate("offset", "1") / 2605e9, 1, 0.1);
  EXPECT_NEAR(rate("offset", "8") / 2618e9, 1, 0.1);
  EXPECT_NEAR(rate("offset", "31") / 2596e9, 1, 0.1);
  EXPECT_NEAR(rate("stride", "24") / 217e9, 1, 0.15);
  EXPECT_NEAR(rate("stride", "32") / 170e9, 1, 0.15);
  EXPECT_GT(value("h200", {{"access", "copy"}}, "bandwidth"), 4e12);
  EXPECT_LT(value("h200", {{"ilp", "1"}, {"block", "32"}}, "bandwidth"),
            value("h200", {{"ilp", "8"}, {"block", "32"}}, "bandwidth"));
  EXPECT_EQ(error_of([] {
              value("h200", {{"index", "2*gid"}, {"ilp", "1"}}, "bandwidth");
            }),
            "--ilp simulates plain accesses by stride, offset and permutation; of other kernels 'perfmodel "
            "kernel' tells the time");
}

TEST(Coalescing, says_what_is_wrong_with_a_question) {
  const auto error = [](const Words& options) {
    return error_of([&] { ask("coalescing", gpu_named("h200"), options); });
  };
  EXPECT_NE(error({{"word", "3"}}).find("--word: 1, 2, 4, 8 or 16 bytes"), std::string::npos);
  EXPECT_NE(error({{"stride", "1.5"}}).find("--stride: a whole number"), std::string::npos);
  EXPECT_NE(error({{"if", "0"}}).find("no thread"), std::string::npos);
  EXPECT_NE(error({{"index", "gid +"}}).find("--index"), std::string::npos);
  EXPECT_NE(error({{"index", "rwo"}}).find("row"), std::string::npos);
  EXPECT_NE(error({{"index", "7 / lane"}}).find("thread (0,0,0) of block (0,0,0)"), std::string::npos);
  EXPECT_NE(error({{"index", "tid - 5"}}).find("thread 0 of block 0"), std::string::npos);
  EXPECT_EQ(error({{"index", "tid - 5"}, {"if", "tid > 4"}}), "no error");
  EXPECT_NE(error({{"index", "1 << 61"}, {"word", "16"}}).find("2^47"), std::string::npos);
  EXPECT_NE(error({{"index", "1 << 45"}}).find("2^47"), std::string::npos);
  EXPECT_EQ(error({{"index", "(1 << 45) - 1"}}), "no error");
  EXPECT_NE(error({{"index", "tid"}, {"stride", "2"}}).find("--stride"), std::string::npos);
  EXPECT_NE(error({{"index", "tid"}, {"offset", "2"}}).find("--offset"), std::string::npos);
  EXPECT_NE(error({{"block", "4096"}}).find("4096"), std::string::npos);
}

} // namespace perfmodel::coalescing_test
