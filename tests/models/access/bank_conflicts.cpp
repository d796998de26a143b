#include "models/access/bank_conflicts.hpp"

#include "models/core/error.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::bank_conflicts_test {

BankConflicts::Access access(const std::string& gpu, const BankConflicts::Input& in) {
  Plain plain;
  return BankConflicts::predict(gpu_named(gpu), in, plain).back();
}
BankConflicts::Input indexed(const std::string& index, Shape block = {32, 1, 1},
                             const std::string& let = "") {
  BankConflicts::Input in;
  in.index = Expression::from_text(index);
  in.block = block;
  in.let = Bindings::from_text(let);
  return in;
}
BankConflicts::Input strided(double stride) {
  BankConflicts::Input in;
  in.stride = stride;
  return in;
}

TEST(BankConflicts, without_a_question_it_shows_strides) {
  const Result r = ask("bank-conflicts", gpu_named("h200"));
  ASSERT_EQ(r.tables.size(), 1u);
  const std::vector<double> strides{1, 2, 3, 4, 8, 16, 17, 32, 33}, wavefronts{1, 2, 1, 4, 8, 16, 1, 32, 1};
  ASSERT_EQ(r.tables[0].rows(), strides.size());
  for (std::size_t row = 0; row < strides.size(); ++row) {
    EXPECT_EQ(r.tables[0].at("stride").number(row), strides[row]);
    EXPECT_EQ(r.tables[0].at("wavefronts").number(row), wavefronts[row]);
  }
}

// J. Filipovic, Vykon GPU hardware, 2010, slide on shared memory of the transpose: 16-way without, none with
// a column more.
TEST(BankConflicts, a_column_of_a_tile_is_padded_by_one_word) {
  const BankConflicts::Access gt200 = access("gtx280", indexed("x*pitch + y", {16, 16, 1}, "pitch=16"));
  EXPECT_EQ(gt200.degree, 16);
  EXPECT_EQ(gt200.wavefronts, 32) << "two half-warps";
  EXPECT_EQ(gt200.least, 2);
  EXPECT_EQ(gt200.advice, "pitch = 17 (1 more), or swap x and y");
  const BankConflicts::Access h200 = access("h200", indexed("x*32 + y", {32, 32, 1}));
  EXPECT_EQ(h200.degree, 32);
  EXPECT_EQ(h200.advice, "pad the row by 1: 33 instead of 32, or swap x and y");
  EXPECT_EQ(access("h200", indexed("x*33 + y", {32, 32, 1})).advice, "none: no bank conflicts");
  EXPECT_EQ(access("h200", indexed("y*32 + x", {32, 32, 1})).wavefronts, 1);
}

TEST(BankConflicts, what_is_tried_for_advice_may_have_no_value) {
  EXPECT_EQ(access("h200", indexed("x*32/(33 - pitch)", {32, 1, 1}, "pitch=32")).advice,
            "pad the row by 1: 33 instead of 32");
  EXPECT_EQ(access("h200", indexed("x*0x20", {32, 1, 1})).advice, "pad the row by 1: 33 instead of 32");
}

// Quarter-warps of 8 lanes x 16 B: rows of 8 words fill the banks, so a row of 9 is needed.
TEST(BankConflicts, the_pad_counts_words_of_the_access) {
  BankConflicts::Input in = indexed("x*pitch", {32, 1, 1}, "pitch=8");
  in.word = Bytes(16);
  EXPECT_EQ(access("h200", in).degree, 8);
  EXPECT_EQ(access("h200", in).advice, "pitch = 9 (1 more)");
}

TEST(BankConflicts, the_advice_for_a_stride_is_the_next_that_has_no_conflicts) {
  EXPECT_EQ(access("h200", strided(2)).advice, "stride = 3 (1 more)");
  EXPECT_EQ(access("h200", strided(32)).advice, "stride = 33 (1 more)");
  EXPECT_EQ(access("h200", strided(5)).advice, "none: no bank conflicts");
  EXPECT_EQ(access("k40", strided(4)).advice, "stride = 5 (1 more)");
}

// Doubles are two requests with an even stride on cc 1.x: every stride conflicts. The programming guide
// splits them, too.
TEST(BankConflicts, wide_words_of_old_gpus_are_split) {
  BankConflicts::Input in = strided(1);
  in.word = Bytes(8);
  EXPECT_EQ(access("gtx280", in).degree, 2);
  EXPECT_EQ(access("gtx280", in).advice, "keep the 4 B parts of the words in arrays of their own");
  EXPECT_EQ(access("h200", in).advice, "none: no bank conflicts");
}

// A name that says which threads work is no row that could be padded.
TEST(BankConflicts, a_stride_that_the_guard_knows_is_not_padded) {
  BankConflicts::Input in = indexed("2*s*tid", {1024, 1, 1}, "s=1");
  EXPECT_EQ(access("h200", in).advice, "let neighbouring threads access neighbouring words");
  in.let = Bindings::from_text("s=16");
  EXPECT_EQ(access("h200", in).advice, "let neighbouring threads access neighbouring words");
  in.index = Expression::from_text("s*tid");
  EXPECT_EQ(access("h200", in).advice, "s = 17 (1 more)");
  in.predicate = Expression::from_text("s*tid < 4096");
  EXPECT_EQ(access("h200", in).advice, "let neighbouring threads access neighbouring words");
}

TEST(BankConflicts, where_nothing_that_was_tried_helps_it_says_so) {
  BankConflicts::Input in = strided(1); // two words of one bank, of which one is broadcast in a step
  in.word = Bytes(16);
  in.index = Expression::from_text("tid % 2 * 64");
  in.stride.reset();
  EXPECT_EQ(access("gtx280", in).advice, "nothing tried removes them");
}

// Doubles 3 apart: in Kepler's 4 B mode lanes 0 and 16 read words 0 and 96, of one bank and not of 64 aligned
// words; in its 8 B mode 32 different banks.
TEST(BankConflicts, keplers_other_mode_is_advised_where_it_helps) {
  BankConflicts::Input in = strided(3);
  in.word = Bytes(8);
  EXPECT_EQ(access("k40", in).degree, 2);
  EXPECT_EQ(access("k40", in).advice, "choose banks of 8 B (--mode 8B)");
  in.mode = Bytes(8);
  EXPECT_EQ(access("k40", in).advice, "none: no bank conflicts");
}

// By hand: s[2 * s * tid] while 2 * s * tid < 1024, 1024 threads: at s = 16 one warp works, 32-fold; of the
// 32 threads at s = 16, so also 16 at s = 32.
TEST(BankConflicts, a_reduction_with_a_stride_as_it_goes_on) {
  const auto step = [](int s) {
    BankConflicts::Input in = indexed("2*s*tid", {1024, 1, 1}, "s=" + std::to_string(s));
    in.predicate = Expression::from_text("2*s*tid < 1024");
    return access("m2090", in);
  };
  const std::vector<double> degrees{2, 4, 8, 16, 32, 16, 8, 4, 2, 1};
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    EXPECT_EQ(step(1 << i).degree, degrees[i]) << (1 << i);
    EXPECT_EQ(step(1 << i).wavefronts, degrees[i]) << "warps without such threads do not count";
  }
}

TEST(BankConflicts, wavefronts_are_the_mean_of_the_warps) {
  // Warp 0 without conflicts, warp 1 with two-fold ones.
  const BankConflicts::Access row = access("h200", indexed("lane * (1 + warp)", {64, 1, 1}));
  EXPECT_EQ(row.degree, 2);
  EXPECT_EQ(row.wavefronts, 1.5);
  EXPECT_EQ(row.least, 1);
}

// Issue 5.2 cycles, 2 for each wavefront: the strides 1 to 32 that one H200 showed on 2026-11-20
// were 5.2, 5.3, 8.5, 16.5, 32.5, 64.5.
TEST(BankConflicts, a_lone_warp_waits_for_its_issue_or_for_its_wavefronts) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"shared.lone_issue", "5.2 cycle"},
                                                 {"shared.lone_wavefront", "2 cycle"},
                                                 {"shared.cycles_per_request", "1 cycle"}});
  Plain plain;
  const std::vector<std::pair<double, double>> expected{{1, 5.2}, {2, 5.2}, {4, 8}, {8, 16}, {32, 64}};
  for (const auto& [stride, cycles] : expected) {
    const BankConflicts::Access row = BankConflicts::predict(gpu, strided(stride), plain).back();
    EXPECT_EQ(row.lone_cycles.value, cycles) << stride;
    EXPECT_EQ(row.cycles.value, stride) << "many warps: a cycle for each wavefront";
  }
}

// Registers at 2 cycles each: an address and 1, 2 or 4 of what is stored. Stride 2 of 8 B words has 4
// wavefronts of 2 cycles.
TEST(BankConflicts, a_lone_store_waits_for_its_registers_or_for_its_wavefronts) {
  const Gpu gpu = with_facts(gpu_named("h200"),
                             {{"shared.lone_register", "2 cycle"}, {"shared.lone_wavefront", "2 cycle"}});
  Plain plain;
  const auto cycles = [&](double stride, double word) {
    BankConflicts::Input in = strided(stride);
    in.word = Bytes(word), in.access = SharedAccess::store;
    return BankConflicts::predict(gpu, in, plain).back().lone_cycles.value;
  };
  EXPECT_EQ(cycles(1, 4), 4);
  EXPECT_EQ(cycles(1, 8), 6);
  EXPECT_EQ(cycles(1, 16), 10);
  EXPECT_EQ(cycles(2, 8), 8);
  EXPECT_EQ(cycles(32, 4), 64);
}

// A wavefront takes two cycles of the shader clock: 2 half-warps x 2.
TEST(BankConflicts, an_old_sm_takes_4_cycles_for_a_warp) {
  EXPECT_EQ(access("gtx280", strided(1)).cycles.value, 4);
  EXPECT_EQ(access("m2090", strided(1)).cycles.value, 2);
}

TEST(BankConflicts, without_the_constants_of_a_lone_warp_its_cycles_rest_on_an_assumption) {
  Gpu gpu = gpu_named("gtx280");
  Plain plain;
  EXPECT_GT(BankConflicts::predict(gpu, strided(1), plain).back().lone_cycles.value, 0);
  EXPECT_EQ(plain.grades.worst(), Grade::assumed);
  gpu.estimates.clear();
  EXPECT_THROW(BankConflicts::predict(gpu, strided(1), plain), InputError);
}

// What is no length cannot be padded: with c = 15 no two of 16 lanes would meet, but another answer.
TEST(BankConflicts, the_divisor_of_a_remainder_is_not_padded) {
  const std::string advice = access("gtx280", indexed("tid % c", {32, 1, 1}, "c=2")).advice;
  EXPECT_EQ(advice.find("c ="), std::string::npos) << advice;
  EXPECT_EQ(access("h200", indexed("x*(n + pad) + y", {32, 32, 1}, "n=32,pad=0")).advice,
            "n = 33 (1 more), or pad = 1 (1 more), or swap x and y");
}

// Neither the stride nor the parts alone: 8 B words 4 apart are 8 banks apart, their parts 4 banks.
TEST(BankConflicts, two_changes_are_advised_where_one_does_not_help) {
  BankConflicts::Input in = strided(4);
  in.word = Bytes(8);
  EXPECT_EQ(access("gtx280", in).advice,
            "keep the 4 B parts of the words in arrays of their own, and stride = 5 (1 more)");
  EXPECT_EQ(access("k40", in).advice, "stride = 5 (1 more) with banks of 8 B (--mode 8B)");
}

// A request of 16 B words takes a step more on cc 2.0, whatever its addresses.
TEST(BankConflicts, the_degree_does_not_count_steps_that_are_no_conflicts) {
  BankConflicts::Input in = strided(1);
  in.word = Bytes(16);
  EXPECT_EQ(access("m2090", in).degree, 1);
  EXPECT_EQ(access("m2090", in).wavefronts, access("m2090", in).least);
  EXPECT_EQ(access("m2090", in).advice, "none: no bank conflicts");
}

TEST(BankConflicts, wrong_input_is_a_sentence) {
  const auto refused = [](const Words& words) {
    return error_of([&] { ask("bank-conflicts", gpu_named("h200"), words); });
  };
  EXPECT_EQ(refused({{"word", "12B"}}),
            "--word: 12 B given; one instruction accesses 1, 2, 4, 8 or 16 B of a thread");
  EXPECT_EQ(refused({{"stride", "1.5"}}),
            "--stride: 1.5 given, a whole number of words up to 1e9 is expected");
  EXPECT_EQ(refused({{"stride", "2"}, {"index", "tid"}}),
            "--stride and --index both say which word a thread accesses: give one of them");
  EXPECT_EQ(refused({{"let", "stride=2"}}), "--let: without --index, --stride says the stride");
  EXPECT_EQ(refused({{"index", "tid - 5"}}),
            "--index: thread 0 of the block would access word -5, but an array has none before word 0");
  EXPECT_EQ(refused({{"stride", "-1"}}),
            "--stride: thread 1 of the block would access word -1, but an array has none before word 0");
  EXPECT_EQ(refused({{"stride", "-1"}, {"offset", "31"}}), "no error");
  EXPECT_EQ(refused({{"index", "tid << 60"}}).substr(0, 16), "--index: thread ");
  // 227 KiB: word 58111 is the last.
  EXPECT_EQ(refused({{"index", "58111"}}), "no error");
  EXPECT_EQ(refused({{"index", "58112"}}),
            "--index: thread 0 of the block would access word 58112, but a block "
            "of h200 has at most 232448 B of shared memory");
  EXPECT_NE(refused({{"stride", "1000000"}}).find("of shared memory"), std::string::npos);
  EXPECT_EQ(refused({{"if", "tid > 99"}}), "--if: no thread of the block accesses anything");
  EXPECT_EQ(refused({{"mode", "8B"}}), "--mode: the banks of h200 are 4 B wide, nothing can be chosen");
  EXPECT_EQ(refused({{"index", "9223372036854775807"}, {"offset", "5"}}).substr(0, 16), "--index: thread ");
  EXPECT_NE(refused({{"block", "64x64"}}).find("at most 1024"), std::string::npos);
}

} // namespace perfmodel::bank_conflicts_test
