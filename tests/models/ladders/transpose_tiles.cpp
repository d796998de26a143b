// Tiles of other sides and rows with a pitch of their own.
#include "models/kernel/known_kernels.hpp"
#include "models/kernel/run_block.hpp"
#include "models/ladders/transpose_launches.hpp"

#include "tests/models/error_of.hpp"
#include "tests/models/ladders/transpose_on.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace perfmodel::transpose_tiles_test {

using namespace transpose_on;

using Version = TransposeVersion;

double of(const Gpu& gpu, const char* version, const char* column, Words options) {
  options.emplace_back("version", version);
  return number(ask("transpose", gpu, options), table, column);
}

// Of the machine code itself: all words that its lanes read and write, of whole tiles and of cut ones; none
// between the rows.
void expect_each_word_once(Version version, const TransposeSize& size) {
  const KernelLaunch launch = transpose_launch(version, size);
  const KernelRunner runner(known_kernel("transpose", transpose_kernel(version, size), 9.0), launch);
  std::multiset<std::uint64_t> read, written;
  for (std::int64_t block = 0; block < launch.grid.count(); ++block)
    runner.run(block, {}, [&](const Executed& executed) {
      if (executed.access == nullptr || executed.access->space != Space::global) return;
      const MemoryAccess& a = *executed.access;
      const Allocation& array = launch.arguments.allocations[a.loads ? 0 : 1];
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (unsigned b = 0; b < a.bytes && (a.mask >> lane & 1) != 0; b += 4)
          (a.loads ? read : written)
              .insert((static_cast<std::uint64_t>(a.address[lane]) + b - array.address) / 4);
    });
  std::multiset<std::uint64_t> all;
  for (std::int64_t row = 0; row < size.n; ++row)
    for (std::int64_t column = 0; column < size.n; ++column)
      all.insert(static_cast<std::uint64_t>(row * size.pitch + column));
  EXPECT_EQ(read, all) << static_cast<int>(version) << " " << size.n << " " << size.tile;
  EXPECT_EQ(written, all) << static_cast<int>(version) << " " << size.n << " " << size.tile;
}

TEST(TransposeTiles, every_word_is_read_and_written_once) {
  for (const Version version :
       {Version::copy, Version::naive, Version::strided_both, Version::tile_copy, Version::tiled,
        Version::padded, Version::diagonal, Version::diagonal_unpadded, Version::vectorised})
    for (const std::int64_t n : {70, 72}) // a tile of 64 and a rest; rows of 280 and of 288 bytes
      for (const std::int64_t between : {0, 4, 5}) {
        expect_each_word_once(version, {.n = n, .pitch = n + between});
        for (const std::int64_t tile : {16, 48, 64})
          if (has_tile_choice(version)) expect_each_word_once(version, {n, n + between, tile});
      }
}

// A warp has two rows of 16 threads: it stores 32 words side by side, and gathers of each of two columns 16
// words that lie in two banks, eight in each. Of rows of 17 words the second begins in the bank after the
// next: column meets one again. Worked by hand.
TEST(TransposeTiles, a_tile_of_16_has_a_conflict_of_eight_words_on_32_banks) {
  const double tiles = 256. * 256, warps = 8;
  EXPECT_EQ(of(h200(), "tiled", "wavefronts", {{"tile", "16"}}), tiles * warps * (1 + 8));
  EXPECT_EQ(of(h200(), "padded", "wavefronts", {{"tile", "16"}}), tiles * warps * (2 + 2));
}

// Tiles of 16, 32 and 48, "limited by shared memory": Filipovic 2010. 48 x 48 words are 9216 B; 64 x 64 are
// all of 16 KiB, where the arguments lie, too.
TEST(TransposeTiles, shared_memory_of_a_gtx280_limits_them_to_48_words) {
  const Gpu& gpu = gpu_named("gtx280");
  for (const char* tile : {"16", "32", "48"}) EXPECT_GT(of(gpu, "tiled", "time", {{"tile", tile}}), 0);
  const auto error = [&](const char* version) {
    return error_of([&] { of(gpu, version, "time", {{"tile", "64"}}); });
  };
  EXPECT_NE(error("tiled").find("shared memory"), std::string::npos) << error("tiled");
  EXPECT_NE(error("padded").find("shared memory"), std::string::npos);
  EXPECT_EQ(of(gpu, "tiled", "resident", {{"tile", "48"}}), 1); // two would be 18 KiB
  EXPECT_EQ(of(gpu, "tiled", "resident", {{"tile", "32"}}), 3); // 4 KiB and the arguments each
}

// Filipovic 2010: "blind" words between rows take the camping of partitions away, for more memory.
TEST(TransposeTiles, a_pitch_beyond_512_words_takes_camping_away_and_costs_memory) {
  const Gpu& gpu = gpu_named("gtx280");
  const auto padded = [&](const char* column, Words options) { return of(gpu, "padded", column, options); };
  const double camping = padded("bandwidth", {{"n", "4096"}}),
               free = padded("bandwidth", {{"n", "4096"}, {"pitch", "4128"}});
  EXPECT_GT(free, 3.5 * camping);
  EXPECT_NEAR(free / padded("bandwidth", {{"n", "4000"}}), 1, 0.1);
  EXPECT_EQ(padded("row_padding", {{"n", "4096"}, {"pitch", "4128"}}), 2. * 4096 * 32 * 4);
  EXPECT_TRUE(std::isnan(padded("row_padding", {{"n", "4096"}})));
  EXPECT_EQ(padded("time", {{"n", "4096"}, {"pitch", "4096"}}), padded("time", {{"n", "4096"}}));
}

TEST(TransposeTiles, a_pitch_of_512_words_camps_whatever_n) {
  const Gpu& gpu = gpu_named("gtx280");
  EXPECT_NE(
      text(ask("transpose", gpu, {{"version", "padded"}, {"n", "4000"}, {"pitch", "4096"}}), table, "bound")
          .find("busiest partition"),
      std::string::npos);
}

// "It can be used only for data at which the first implementation is slow": diagonal order costs index
// arithmetic elsewhere. Filipovic 2010.
TEST(TransposeTiles, the_best_version_of_a_gtx280_depends_on_n) {
  const Result swept = ask("transpose", gpu_named("gtx280"), {{"n", "3584,4000,4096"}});
  const Table& best = table_of(swept, "fastest transpose");
  ASSERT_EQ(best.rows(), 3u);
  EXPECT_EQ(best.at("fastest").text(0), "diagonal");
  EXPECT_EQ(best.at("fastest").text(1), "padded");
  EXPECT_EQ(best.at("fastest").text(2), "diagonal");
  EXPECT_EQ(swept.verdict.front(), "Best by n: diagonal at 3584, padded at 4000, diagonal at 4096.");
}

// 18 % "of a copy's bandwidth" was said of a transpose that beats the ladder's own copy: it was L2's share.
TEST(TransposeTiles, the_share_is_said_of_the_memory_that_the_matrices_are_in) {
  const auto verdict = [](const char* n) {
    return ask("transpose", h200(), {{"n", n}, {"version", "padded"}}).verdict.front();
  };
  EXPECT_NE(verdict("1000").find("of what L2 can read and write, where both matrices stay"),
            std::string::npos)
      << verdict("1000");
  EXPECT_NE(verdict("4096").find("of a copy's bandwidth"), std::string::npos) << verdict("4096");
}

TEST(TransposeTiles, tensor_copies_transpose_and_may_be_the_fastest) {
  const Table best = table_of(ask("transpose", h200(), {{"n", "16384"}}), "fastest transpose");
  const std::set<std::string> first_two{best.at("fastest").text(0), best.at("next").text(0)};
  EXPECT_EQ(first_two, (std::set<std::string>{"tensor-copy", "vectorised"}));
}

TEST(TransposeTiles, what_has_no_answer_is_one_sentence) {
  const auto error = [](const Words& options) {
    return error_of([&] { ask("transpose", gpu_named("h200"), options); });
  };
  EXPECT_EQ(error({{"tile", "40"}}),
            "--tile 40: the kernels are compiled for tiles of 16, 32, 48, 64 words a side");
  EXPECT_EQ(error({{"tile", "16"}, {"version", "copy"}}),
            "--tile 16: the version 'copy' has no choice of tiles");
  EXPECT_EQ(error({{"pitch", "4095"}}), "--pitch 4095: rows of 4096 words would overlap");
  EXPECT_EQ(error({{"pitch", "4097"}, {"version", "tensor-copy"}}),
            "--pitch 4097: tensor copies need rows of a multiple of 16 bytes");
}

} // namespace perfmodel::transpose_tiles_test
