#include "models/access/banks.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

namespace perfmodel::banks_test {

using Lanes = std::array<std::int64_t, warp_lanes>;

Banks banks_of(const std::string& cc, const std::optional<Bytes>& mode = {}) {
  Plain plain;
  return perfmodel::banks_of(database().architecture(cc), mode, plain);
}

template <class Address> Lanes lanes(Address address) {
  Lanes all{};
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) all[lane] = address(static_cast<std::int64_t>(lane));
  return all;
}
// Words of so many bytes, by their index.
template <class Index>
BankSteps words(const Banks& banks, std::int64_t word, Index index, std::uint32_t mask = ~0u) {
  return bank_steps(banks, lanes([&](std::int64_t l) { return word * index(l); }), mask, word,
                    SharedAccess::load);
}
std::int64_t degree_of_stride(const Banks& banks, std::int64_t stride) {
  return words(banks, 4, [&](std::int64_t l) { return l * stride; }).degree;
}

// gcd(stride, banks), by hand; J. Filipovic, Vykon GPU hardware, 2010, for odd strides.
TEST(Banks, a_stride_costs_what_the_table_says) {
  const std::vector<std::int64_t> strides{1, 2, 3, 4, 8, 16, 17, 32, 33};
  const std::vector<std::int64_t> cc1{1, 2, 1, 4, 8, 16, 1, 16, 1}, cc2{1, 2, 1, 4, 8, 16, 1, 32, 1};
  for (std::size_t i = 0; i < strides.size(); ++i) {
    for (const char* cc : {"1.0", "1.1", "1.2", "1.3"})
      EXPECT_EQ(degree_of_stride(banks_of(cc), strides[i]), cc1[i]) << cc << ", stride " << strides[i];
    for (const char* cc : {"2.0", "2.1", "5.0", "6.0", "7.0", "7.5", "8.0", "8.6", "9.0", "10.0", "12.0"})
      EXPECT_EQ(degree_of_stride(banks_of(cc), strides[i]), cc2[i]) << cc << ", stride " << strides[i];
  }
}

// By hand from the CUDA C Programming Guide's rule; its figure F-2: strides 1, 2 and 3 without conflict.
TEST(Banks, kepler_serves_words_32_apart_together_in_its_4_byte_mode) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> table{{1, 1}, {2, 1},  {3, 1},   {4, 2},
                                                                 {8, 4}, {16, 8}, {32, 16}, {33, 1}};
  for (const char* cc : {"3.0", "3.2", "3.5", "3.7"})
    for (const auto& [stride, degree] : table)
      EXPECT_EQ(degree_of_stride(banks_of(cc), stride), degree) << cc << ", stride " << stride;
}

// Words i and i + 32 must lie in the same 64 aligned words: 33 and 65 do not.
TEST(Banks, kepler_conflicts_across_the_edge_of_64_words) {
  const auto two = [](std::int64_t a, std::int64_t b) {
    return words(banks_of("3.5"), 4, [=](std::int64_t l) { return l == 0 ? a : b; }).degree;
  };
  EXPECT_EQ(two(1, 33), 1);
  EXPECT_EQ(two(33, 65), 2);
  EXPECT_EQ(two(1, 65), 2);
  EXPECT_EQ(two(33, 66), 1) << "another bank";
}

// In its 8 byte mode neighbouring words share a bank's row. By hand: stride 2 uses every bank once, stride 4
// every second one twice; of stride 3, lanes 1 and 22 read words 3 and 66, in the 8 B words 1 and 33.
TEST(Banks, kepler_serves_neighbouring_words_together_in_its_8_byte_mode) {
  const Banks banks = banks_of("3.5", Bytes(8));
  for (const auto& [stride, degree] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 1}, {2, 1}, {3, 2}, {4, 2}, {32, 16}, {64, 32}})
    EXPECT_EQ(degree_of_stride(banks, stride), degree) << stride;
  const auto doubles = [&](std::int64_t stride) {
    return words(banks, 8, [=](std::int64_t l) { return l * stride; });
  };
  EXPECT_EQ(doubles(1).wavefronts, 1);
  EXPECT_EQ(doubles(2).wavefronts, 2);
  EXPECT_EQ(doubles(32).wavefronts, 32);
}

TEST(Banks, an_offset_costs_nothing) {
  for (const char* cc : {"1.3", "2.0", "3.5", "9.0"})
    for (const std::int64_t offset : {1, 7, 31, 32, 33})
      EXPECT_EQ(words(banks_of(cc), 4, [=](std::int64_t l) { return l + offset; }).degree, 1) << cc;
}

// s[tid % c] of J. Filipovic, Vykon GPU hardware, 2010, slide on access patterns, counted by hand. From 2.0
// on any number of words is broadcast.
TEST(Banks, threads_that_share_words_cost_up_to_4_steps_before_multicast) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> table{{1, 1}, {2, 2}, {3, 3},  {4, 4},
                                                                 {5, 3}, {8, 2}, {16, 1}, {32, 1}};
  for (const auto& [c, steps] : table) {
    const auto index = [c = c](std::int64_t l) { return l % c; };
    EXPECT_EQ(words(banks_of("1.0"), 4, index).degree, steps) << "tid % " << c;
    for (const char* cc : {"2.0", "3.5", "5.0", "9.0"})
      EXPECT_EQ(words(banks_of(cc), 4, index).degree, 1) << c;
  }
}

// J. Filipovic, Vykon GPU hardware, 2010, slide on shared memory of the transpose: a column of a tile is
// 16-way for a half-warp; a further word in each row removes it. Of a 32 x 32 tile it is 32-way for a warp.
TEST(Banks, a_column_of_a_tile_needs_a_padded_row) {
  const auto column = [](const char* cc, std::int64_t pitch) {
    return words(banks_of(cc), 4, [=](std::int64_t l) { return l * pitch; }).degree;
  };
  EXPECT_EQ(column("1.3", 16), 16);
  EXPECT_EQ(column("1.3", 17), 1);
  EXPECT_EQ(column("2.0", 32), 32);
  EXPECT_EQ(column("2.0", 33), 1);
  EXPECT_EQ(column("9.0", 32), 32);
  EXPECT_EQ(column("9.0", 33), 1);
}

// R. Vuduc, GPU tuning, part 1, slide 72: 2s * tid below 1024 of B = 1024 threads: whole warps until 1024 /
// 2s threads are fewer than 32, then fewer lanes.
TEST(Banks, a_reduction_that_strides_through_shared_memory) {
  const std::vector<std::int64_t> expected{2, 4, 8, 16, 32, 16, 8, 4, 2, 1};
  std::int64_t s = 1;
  for (const std::int64_t degree : expected) {
    const std::int64_t threads = std::min<std::int64_t>(1024 / (2 * s), 32);
    const std::uint32_t mask = ~0u >> (32 - threads);
    EXPECT_EQ(words(
                  banks_of("2.0"), 4, [=](std::int64_t l) { return 2 * s * l; }, mask)
                  .degree,
              degree)
        << "s = " << s;
    s *= 2;
  }
}

// Half a warp a request on 1.x: two wavefronts at least.
TEST(Banks, an_instruction_takes_the_steps_of_all_its_requests) {
  EXPECT_EQ(words(banks_of("1.3"), 4, [](std::int64_t l) { return l; }), (BankSteps{1, 2, 2}));
  EXPECT_EQ(words(banks_of("1.3"), 4, [](std::int64_t l) { return 2 * l; }), (BankSteps{2, 4, 2}));
  // One half-warp conflicts 16-fold, the other reads one word.
  EXPECT_EQ(words(banks_of("1.3"), 4, [](std::int64_t l) { return l < 16 ? 16 * l : 0; }),
            (BankSteps{16, 17, 2}));
  EXPECT_EQ(words(banks_of("9.0"), 4, [](std::int64_t l) { return 2 * l; }), (BankSteps{2, 2, 1}));
}

// Programming guide 4.2, F.3.3.4: doubles become two requests with a stride of two words; F.4.3.2: not so on
// 2.x, whose 16 B words take a step more in each quarter-warp.
TEST(Banks, words_of_8_and_16_bytes) {
  const auto strided = [](const char* cc, std::int64_t word, std::int64_t stride) {
    return words(banks_of(cc), word, [=](std::int64_t l) { return l * stride; });
  };
  EXPECT_EQ(strided("1.3", 8, 1), (BankSteps{2, 8, 4}));
  EXPECT_EQ(strided("1.3", 16, 1), (BankSteps{4, 32, 8}));
  EXPECT_EQ(strided("2.0", 8, 1), (BankSteps{1, 2, 2}));
  EXPECT_EQ(strided("2.0", 16, 1), (BankSteps{1, 8, 8}));
  EXPECT_EQ(strided("2.0", 16, 2), (BankSteps{2, 12, 8}));
  EXPECT_EQ(strided("3.5", 8, 1), (BankSteps{1, 1, 1})) << "64 bits of each bank";
  EXPECT_EQ(strided("3.5", 16, 1), (BankSteps{1, 2, 2}));
  for (const char* cc : {"5.0", "9.0"}) {
    EXPECT_EQ(strided(cc, 8, 1), (BankSteps{1, 2, 2})) << cc;
    EXPECT_EQ(strided(cc, 8, 2), (BankSteps{2, 4, 2})) << cc;
    EXPECT_EQ(strided(cc, 16, 1), (BankSteps{1, 4, 4})) << cc;
    EXPECT_EQ(strided(cc, 16, 2), (BankSteps{2, 8, 4})) << cc;
    EXPECT_EQ(strided(cc, 16, 8), (BankSteps{8, 32, 4})) << cc;
  }
}

// F.3.3.3: four chars of a word are in the same bank; a stride of 4 has one each. From 2.0 on they are one
// word.
TEST(Banks, words_of_1_and_2_bytes) {
  const auto strided = [](const char* cc, std::int64_t word, std::int64_t stride) {
    return words(banks_of(cc), word, [=](std::int64_t l) { return l * stride; }).degree;
  };
  EXPECT_EQ(strided("1.0", 1, 1), 4);
  EXPECT_EQ(strided("1.0", 1, 4), 1);
  EXPECT_EQ(strided("1.0", 2, 1), 2);
  EXPECT_EQ(strided("2.0", 1, 1), 1);
  EXPECT_EQ(strided("9.0", 2, 1), 1);
  EXPECT_EQ(strided("9.0", 2, 32), 16) << "every 16th word";
}

// An NVIDIA engineer on cc 7.x: a 16 B load takes 2 requests, not 4, when lanes n and n ^ 1 agree, or all n
// and n ^ 2.
TEST(Banks, lanes_that_agree_in_pairs_halve_the_requests_of_wide_loads) {
  const auto pairs_of_1 = [](std::int64_t l) { return l / 2; };
  const auto pairs_of_2 = [](std::int64_t l) { return l / 4 * 2 + l % 2; };
  const auto pairs_of_4 = [](std::int64_t l) { return l / 8 * 4 + l % 4; };
  const auto one = [](std::int64_t) { return 5; };
  EXPECT_EQ(words(banks_of("7.0"), 16, pairs_of_1).wavefronts, 2);
  EXPECT_EQ(words(banks_of("7.0"), 16, pairs_of_2).wavefronts, 2);
  EXPECT_EQ(words(banks_of("7.0"), 16, pairs_of_4).wavefronts, 4);
  EXPECT_EQ(words(banks_of("7.0"), 16, one).wavefronts, 2);
  EXPECT_EQ(words(banks_of("7.0"), 8, pairs_of_1).wavefronts, 1);
  EXPECT_EQ(words(banks_of("5.0"), 16, pairs_of_1).wavefronts, 4);
  EXPECT_EQ(words(banks_of("7.0"), 4, pairs_of_1).wavefronts, 1);
  const Lanes same = lanes([](std::int64_t l) { return l / 2 * 16; });
  EXPECT_EQ(bank_steps(banks_of("7.0"), same, ~0u, 16, SharedAccess::store).wavefronts, 4) << "loads only";
}

// F.3.3: of threads that write one location one does; different bytes of a word are different locations.
TEST(Banks, stores_to_one_place_cost_one_step) {
  const auto store = [](const char* cc, auto address) {
    return bank_steps(banks_of(cc), lanes(address), ~0u, 1, SharedAccess::store).degree;
  };
  EXPECT_EQ(store("1.0", [](std::int64_t) { return 3; }), 1);
  EXPECT_EQ(store("1.0", [](std::int64_t l) { return l; }), 4);
  EXPECT_EQ(store("9.0", [](std::int64_t l) { return l; }), 1);
  EXPECT_EQ(store("1.0", [](std::int64_t l) { return 4 * (l % 2); }), 1) << "two words, no broadcast needed";
}

TEST(Banks, lanes_that_are_off_cost_nothing) {
  const Banks banks = banks_of("9.0");
  const auto column = [](std::int64_t l) { return 32 * l; };
  EXPECT_EQ(words(banks, 4, column, 0), BankSteps{});
  EXPECT_EQ(words(banks, 4, column, 0x80000000u), (BankSteps{1, 1, 1}));
  EXPECT_EQ(words(banks, 4, column, 0x0000ffffu), (BankSteps{16, 16, 1}));
  EXPECT_EQ(words(
                banks, 8, [](std::int64_t l) { return l; }, 0x0000ffffu),
            (BankSteps{1, 1, 1}))
      << "the other half-warp makes no request";
}

TEST(Banks, every_architecture_says_how_its_banks_work) {
  for (const std::string& cc : every_compute_capability()) {
    const Banks banks = banks_of(cc);
    EXPECT_EQ(banks.count, cc[0] == '1' && cc[1] == '.' ? 16 : 32) << cc;
    EXPECT_EQ(banks.request_threads, banks.count) << cc;
    EXPECT_EQ(banks.interleave, 4) << cc;
    EXPECT_EQ(words(banks, 4, [](std::int64_t l) { return l; }).degree, 1) << cc;
    EXPECT_TRUE(database().architecture(cc).find(facts::shared_cycles_per_request)) << cc;
  }
}

TEST(Banks, a_mode_that_the_device_does_not_have_is_refused) {
  EXPECT_EQ(error_of([] { banks_of("3.5", Bytes(16)); }), "--mode: the banks of 3.5 have no mode of 16 B");
  EXPECT_EQ(error_of([] { banks_of("9.0", Bytes(8)); }),
            "--mode: the banks of 9.0 are 4 B wide, nothing can be chosen");
  EXPECT_EQ(banks_of("9.0", Bytes(4)).interleave, 4);
}

TEST(Banks, a_rule_that_nobody_knows_is_refused) {
  const Gpu gpu = with_facts(database().architecture("9.0"), {{"shared.broadcast", "sometimes"}});
  Plain plain;
  EXPECT_EQ(error_of([&] { perfmodel::banks_of(gpu, {}, plain); }),
            "--set: shared.broadcast is 'sometimes'; 'every_word' or 'one_word' is expected");
}

TEST(Banks, geometry_that_cannot_be_is_refused) {
  const auto refused = [](const char* path, const char* value) {
    const Gpu gpu = with_facts(database().architecture("3.5"), {{path, value}});
    Plain plain;
    return error_of([&] { perfmodel::banks_of(gpu, {}, plain); });
  };
  EXPECT_EQ(refused("shared.bank_width", "0.5B"),
            "shared.bank_width is 0.5; a whole number from 1 to 4096 is expected");
  // Odd ones are counted all the same.
  const Gpu odd =
      with_facts(database().architecture("3.5"),
                 {{"shared.banks", "7"}, {"shared.bank_width", "1B"}, {"shared.request_threads", "9"}});
  Plain plain;
  EXPECT_GT(words(perfmodel::banks_of(odd, {}, plain), 16, [](std::int64_t l) { return l; }).wavefronts, 0);
}

} // namespace perfmodel::banks_test
