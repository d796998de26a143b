// Reads through texture units: what the hardware's counters said of them, and what a read costs by each path.
#include "models/access/read_path.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <set>

#include <gtest/gtest.h>

namespace perfmodel::read_path_test {

using Addresses = std::array<std::int64_t, warp_lanes>;
constexpr std::uint32_t all_lanes = ~std::uint32_t{0};
constexpr std::int64_t pitch = 4096;

// Word (x, y) of lane l is (l * right, l * down).
Addresses walk(ReadPath path, std::int64_t right, std::int64_t down, std::int64_t word = 4) {
  Addresses a{};
  for (std::int64_t l = 0; l < static_cast<std::int64_t>(warp_lanes); ++l) {
    const std::int64_t index = l * down * pitch + l * right;
    a[static_cast<std::size_t>(l)] =
        path == ReadPath::tex2d ? byte_in_array(index, pitch, word) : index * word;
  }
  return a;
}
std::size_t sectors(const Addresses& a) { return transactions(texture_rule(), a, all_lanes, 4).count; }

// l1tex__t_requests_pipe_tex, l1tex__t_set_accesses_pipe_tex and l1tex__t_sectors_pipe_tex of an H200, 27
// November 2026, over the warps of a kernel.
TEST(ReadPath, has_the_wavefronts_and_sectors_that_an_h200_counted) {
  const auto wavefronts = [](ReadPath path, std::int64_t right, std::int64_t down) {
    return texture_wavefronts(path, walk(path, right, down), all_lanes, 4);
  };
  EXPECT_EQ(wavefronts(ReadPath::tex1d, 1, 0), 4);
  EXPECT_EQ(sectors(walk(ReadPath::tex1d, 1, 0)), 4u);
  EXPECT_EQ(wavefronts(ReadPath::tex1d, 0, 1), 32);
  EXPECT_EQ(sectors(walk(ReadPath::tex1d, 0, 1)), 32u);
  EXPECT_EQ(wavefronts(ReadPath::tex2d, 1, 0), 8);
  EXPECT_EQ(sectors(walk(ReadPath::tex2d, 1, 0)), 8u);
  EXPECT_EQ(wavefronts(ReadPath::tex2d, 0, 1), 8);
  EXPECT_EQ(sectors(walk(ReadPath::tex2d, 0, 1)), 16u);
}

// 512 bytes are eight requests of four lanes: 4 words a cycle of the 8 that narrow ones are.
TEST(ReadPath, of_wide_words_asks_for_64_bytes_at_a_time) {
  EXPECT_EQ(texture_wavefronts(ReadPath::tex1d, walk(ReadPath::tex1d, 1, 0, 16), all_lanes, 16), 8);
  EXPECT_EQ(texture_wavefronts(ReadPath::tex1d, walk(ReadPath::tex1d, 1, 0, 8), all_lanes, 8), 4);
  EXPECT_EQ(texture_wavefronts(ReadPath::tex1d, walk(ReadPath::tex1d, 1, 0, 4), 0xFFU, 4), 1);
  EXPECT_EQ(texture_wavefronts(ReadPath::tex2d, walk(ReadPath::tex2d, 1, 0, 4), 0x11U, 4), 2);
}

TEST(ReadPath, lays_an_array_out_in_tiles) {
  const auto byte = [](std::int64_t x, std::int64_t y) { return byte_in_array(y * pitch + x, pitch, 4); };
  EXPECT_EQ(byte(0, 0), 0);
  EXPECT_EQ(byte(3, 1), 28); // a sector: four words of two rows
  EXPECT_EQ(byte(4, 0), 32);
  EXPECT_EQ(byte(0, 2), 64);
  EXPECT_EQ(byte(7, 3), 124); // a line: eight words of four rows
  EXPECT_EQ(byte(8, 0), 256);
  EXPECT_EQ(byte(0, 8), 512);               // the tile below
  EXPECT_EQ(byte(16, 0), 16 * 512);         // the tile beside: behind 16 that lie below each other
  EXPECT_EQ(byte(0, 128), pitch * 4 * 128); // as many rows are as long as in linear memory
}

TEST(ReadPath, lays_no_two_words_in_one_place) {
  for (const std::int64_t word : {1, 2, 4, 8, 16})
    for (const std::int64_t wide : {1, 3, 64, 100}) {
      std::set<std::int64_t> bytes;
      for (std::int64_t i = 0; i < wide * 150; ++i) {
        const std::int64_t at = byte_in_array(i, wide, word);
        EXPECT_EQ(at % word, 0);
        bytes.insert(at);
      }
      EXPECT_EQ(bytes.size(), static_cast<std::size_t>(wide * 150));
    }
}

constexpr const char* table = "access pattern";
double value(const Gpu& gpu, const Words& options, const char* column) {
  return number(ask("coalescing", gpu, options), table, column);
}
Words columns(const char* path) {
  return {{"index", "col*4096 + row"}, {"block", "32x8"}, {"grid", "64x32"}, {"path", path}};
}

// A column of a matrix lies in one bank of L1: 32 wavefronts of 128 bytes for 128 bytes.
TEST(ReadPath, of_columns_waits_for_the_banks_of_l1_but_not_in_an_array) {
  const Gpu gpu = measured_gpu("h200");
  EXPECT_NEAR(value(gpu, columns("global"), "bandwidth"), gpu.at(facts::sustained_l1).value.value / 32, 1e9);
  EXPECT_EQ(text(ask("coalescing", gpu, columns("global")), table, "bound"),
            "L1, bank conflicts of words in different lines");
  EXPECT_GT(value(gpu, columns("tex2d"), "over_plain_loads"), 2);
  EXPECT_LT(value(gpu, columns("tex1d"), "over_plain_loads"), 1);
  EXPECT_DOUBLE_EQ(value(gpu, columns("ldg"), "over_plain_loads"), 1);
}

// Of a GPU with banks of 8 bytes, 32 words 128 bytes apart are 16 of each half of a bank: 16 wavefronts.
TEST(ReadPath, has_wavefronts_as_wide_as_the_banks) {
  const Gpu k40 = with_facts(gpu_named("k40"), {{"sustained.l2", "100 TB/s"}}), h200 = measured_gpu("h200");
  const Words column{{"index", "lane*32"}, {"cache", "l1"}, {"block", "256"}, {"grid", "64"}};
  const double time = 64 * 256 * 4 / value(k40, column, "bandwidth");
  EXPECT_NEAR(time * k40.at(facts::sm_count).value * k40.at(facts::clock).value.value, 64 * 8 * 16, 1);
  const auto bound = [&](const Words& options) {
    return text(ask("coalescing", h200, options), table, "bound");
  };
  EXPECT_EQ(bound({{"index", "0"}, {"if", "lane == 0"}, {"grid", "1024"}}), "L1, bytes handed to registers");
  // 32 lines in as many banks: four of them are looked up in a cycle.
  const Words skewed{{"index", "lane*33"}, {"block", "256"}, {"grid", "64"}};
  EXPECT_GT(value(h200, skewed, "bandwidth"),
            3.9 * value(h200, {{"index", "lane*32"}, {"block", "256"}, {"grid", "64"}}, "bandwidth"));
}

// 128 bytes of 16 transactions of 32 bytes each, where a texture fetches 9 sectors for two half-warps.
TEST(ReadPath, needs_no_coalescing_where_plain_loads_do) {
  EXPECT_GT(value(gpu_named("8800gtx"), {{"offset", "1"}, {"path", "tex1d"}}, "over_plain_loads"), 7.9);
  EXPECT_GT(value(gpu_named("gtx280"), {{"offset", "1"}, {"path", "tex1d"}}, "over_plain_loads"), 1.3);
  EXPECT_NEAR(value(gpu_named("gtx280"), {{"path", "tex1d"}}, "over_plain_loads"), 1, 0.01);
}

// cc 3.5 and 3.7 read __ldg through their texture units, which ask L2 for less where half-warps share a
// sector: faster than plain loads if it is L2 that binds these.
TEST(ReadPath, of_read_only_data_is_that_of_textures_on_kepler_alone) {
  const Gpu k40 = with_facts(gpu_named("k40"), {{"sustained.l2", "223 GB/s"}});
  const auto bandwidth = [&](const char* path) {
    return value(k40, {{"offset", "1"}, {"path", path}}, "bandwidth");
  };
  EXPECT_DOUBLE_EQ(bandwidth("ldg"), bandwidth("tex1d"));
  EXPECT_GT(bandwidth("ldg"), bandwidth("global"));
  EXPECT_FALSE(passes_texture_units(gpu_named("m2090"), ReadPath::ldg));
  EXPECT_TRUE(passes_texture_units(gpu_named("m2090"), ReadPath::tex1d));
}

TEST(ReadPath, says_what_it_cannot_read) {
  const auto why = [](const Words& options) {
    return error_of([&] { (void)ask("coalescing", gpu_named("h200"), options); });
  };
  EXPECT_EQ(why({{"path", "tex1d"}, {"access", "store"}}),
            "--path tex1d: it reads and never writes: --access load is expected");
  EXPECT_EQ(why({{"path", "ldg"}, {"cache", "l2"}}),
            "--path ldg: --cache has no part in it: it says where plain loads are cached");
  EXPECT_EQ(why({{"path", "tex2d"}, {"pitch", "0.5"}}),
            "--pitch: a whole number of words up to 131072 is expected, as wide as an array may be");
  EXPECT_EQ(why({{"path", "tex2d"}, {"pitch", "131072"}}), "no error");
  EXPECT_NE(why({{"path", "tex2d"}, {"pitch", "131073"}}), "no error");
  EXPECT_EQ(why({{"path", "ldg"}, {"pitch", "64"}}), "no error"); // swept with others
  EXPECT_EQ(
      why({{"path", "tex2d"}, {"pitch", "1"}, {"index", "65535 + gid"}, {"block", "32"}, {"grid", "1"}}),
      "--path tex2d: a thread would read word 65536, but a texture has 65536 at most, in 65 536 rows");
  EXPECT_EQ(why({{"path", "tex1d"}, {"index", "268435456 + gid"}, {"block", "32"}, {"grid", "1"}}),
            "--path tex1d: a thread would read word 268435456, but a texture has 268435456 at most");
  // Lanes that read nothing have no place.
  EXPECT_EQ(why({{"path", "tex2d"},
                 {"pitch", "1"},
                 {"index", "gid + 1"},
                 {"if", "gid < 32 || gid % 32 < 16"},
                 {"grid", "64"}}),
            "no error");
}

// Only where it was measured.
TEST(ReadPath, says_after_how_long_a_word_comes) {
  const auto advice = [](const Gpu& gpu) {
    return text(ask("coalescing", gpu, {{"offset", "1"}, {"path", "tex1d"}}), table, "advice");
  };
  const std::string measured = advice(measured_gpu("h200"));
  EXPECT_TRUE(measured.ends_with(": no help where reads wait for each other.")) << measured;
  EXPECT_EQ(advice(gpu_named("8800gtx")), "It pays: 7.998 times as fast as plain loads.");
}

} // namespace perfmodel::read_path_test
