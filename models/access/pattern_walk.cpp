#include "pattern_walk.hpp"

#include "models/access/mentions.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

constexpr int address_bits = 47; // on every GPU so far

std::int64_t word_of(const Coalescing::Input& in) {
  for (const std::int64_t word : {1, 2, 4, 8, 16})
    if (in.word.value == static_cast<double>(word)) return word;
  throw InputError("--word: 1, 2, 4, 8 or 16 bytes are expected: what one instruction accesses");
}

// What textures read: 2^28 words of linear memory, which an H200 took on 27 November 2026, and arrays of 131
// 072 by 65 536, as deviceQuery prints of GPUs since Pascal. Older ones take half of either.
constexpr std::int64_t most_linear = std::int64_t{1} << 28, most_wide = 131'072, most_high = 65'536;

void check_path(const Coalescing::Input& in) {
  if (in.pitch != std::floor(in.pitch) || in.pitch > most_wide)
    throw InputError(fmt::format(
        "--pitch: a whole number of words up to {} is expected, as wide as an array may be", most_wide));
  if (in.path == ReadPath::global) return;
  const std::string_view path = names(in.path)[static_cast<std::size_t>(in.path)];
  if (in.access != GlobalAccess::load)
    throw InputError(fmt::format("--path {}: it reads and never writes: --access load is expected", path));
  if (in.cache != LoadCache::standard)
    throw InputError(
        fmt::format("--path {}: --cache has no part in it: it says where plain loads are cached", path));
}

// Of what a texture reads; 0: as many as there is memory for.
std::int64_t most_words_of(const Coalescing::Input& in) {
  if (in.path == ReadPath::tex1d) return most_linear;
  if (in.path != ReadPath::tex2d) return 0;
  return static_cast<std::int64_t>(in.pitch) * most_high;
}

void check_size(const WarpView& view, std::size_t index, std::int64_t most, const Coalescing::Input& in) {
  const auto words = view.values(index);
  for (std::uint32_t rest = view.active; rest != 0; rest &= rest - 1)
    if (const std::int64_t word = words[static_cast<std::size_t>(std::countr_zero(rest))]; word >= most)
      throw InputError(fmt::format("--path {}: a thread would read word {}, but a texture has {} at most{}",
                                   names(in.path)[static_cast<std::size_t>(in.path)], word, most,
                                   in.path == ReadPath::tex2d ? ", in 65 536 rows" : ""));
}

// A pattern of equal steps repeats itself: a few warps stand for all.
constexpr std::int64_t threads_of_a_step_pattern = 1 << 15;

// What such an expression means depends on a grid's shape, which nothing else says.
void ask_for_grid(const Coalescing::Input& in) {
  const bool flat = in.block.y == 1 && in.block.z == 1;
  for (const auto& [expression, option] : {std::pair(&in.index, "--index"), std::pair(&in.condition, "--if")})
    for (const std::string_view name : {"row", "by", "bz", "gy", "gz", "col", "y", "z", "dy", "dz"}) {
      const bool of_blocks = name.front() == 'b' || name.front() == 'g' || name == "row";
      if ((flat && !of_blocks) || !mentions(*expression, name)) continue;
      throw InputError(fmt::format(
          "{} reads '{}' in blocks of {}: say what grid they make, such as --grid {}", option, name,
          in.block.text(),
          Shape{std::max<std::int64_t>(4096 / in.block.x, 1), std::max<std::int64_t>(4096 / in.block.y, 1), 1}
              .text()));
    }
}

Shape grid_of(const Gpu& gpu, const Coalescing::Input& in) {
  if (in.grid) return *in.grid;
  ask_for_grid(in);
  if (in.index.empty() && in.condition.empty())
    return {std::max<std::int64_t>(threads_of_a_step_pattern / in.block.count(), 1), 1, 1};
  const Occupancy resident = occupancy(gpu, {.threads_per_block = static_cast<double>(in.block.count())});
  return {static_cast<std::int64_t>(gpu.at(facts::sm_count).value * resident.blocks), 1, 1};
}

// Of a warp with a lane whose word is no number of `bits` bits.
[[noreturn]] void no_such_word(const WarpView& view, std::size_t index, int bits,
                               const Coalescing::Input& in) {
  const auto words = view.values(index);
  std::size_t lane = 0;
  while ((view.active >> lane & 1) == 0 || static_cast<std::uint64_t>(words[lane]) >> bits == 0) ++lane;
  const std::int64_t word = words[lane];
  throw InputError(fmt::format(
      "{}: thread {} of block {} (of {} threads, counted from 0) would access word {}{}, but an array has {}",
      in.index.empty() ? "--stride and --offset" : "--index",
      view.warp * static_cast<std::int64_t>(warp_lanes) + static_cast<std::int64_t>(lane), view.block,
      in.block.text(), word, in.let.values.empty() ? "" : " where " + in.let.text(),
      word < 0 ? "none before word 0" : "less than 2^47 bytes"));
}

} // namespace

Expression index_of(const Coalescing::Input& in) {
  if (!in.index.empty()) {
    if (in.stride != 1 || in.offset != 0 || in.permutation != Permutation::identity)
      throw InputError("--index says which word a thread accesses: --stride, --offset and --permutation "
                       "have no part in it");
    return in.index;
  }
  for (const auto& [name, value] : {std::pair("stride", in.stride), std::pair("offset", in.offset)}) {
    if (value != std::floor(value)) throw InputError(fmt::format("--{}: a whole number is expected", name));
    if (value >= std::exp2(address_bits))
      throw InputError(
          fmt::format("--{}: less than 2^{} words are expected: no array is longer", name, address_bits));
  }
  const std::string_view lanes[] = {"gid", "(gid - lane + 31 - lane)", "(gid - lane + (5*lane + 3) % 32)"};
  std::string text(lanes[static_cast<std::size_t>(in.permutation)]);
  if (in.stride != 1) text = fmt::format("{:.0f}*{}", in.stride, text);
  if (in.offset != 0) text += fmt::format(" + {:.0f}", in.offset);
  return Expression::from_text(text);
}

PatternCounts count_pattern(const Gpu& gpu, const Coalescing::Input& in, const DramPieces& pieces) {
  check_block(gpu, in.block);
  check_path(in);
  if (in.grid) check_grid(gpu, *in.grid);
  PatternCounter counter(gpu, in, word_of(in), pieces);
  const Shape grid = grid_of(gpu, in);
  LaunchWalk walk(in.block, grid, in.let);
  walk.guard_by(in.condition, "--if");
  const std::size_t index = walk.add(index_of(in), "--index");
  const int shift = std::countr_zero(static_cast<std::uint64_t>(word_of(in)));
  const bool in_array = in.path == ReadPath::tex2d;
  const std::int64_t most_words = most_words_of(in);
  const auto pitch = static_cast<std::int64_t>(in.pitch);
  PatternCounter::Addresses address{};
  walk.each_warp([&](const WarpView& view) {
    const auto words = view.values(index);
    std::uint64_t too_far = 0; // what is left of numbers that are negative or too large
    const auto place = [&](std::size_t l) {
      const auto word = static_cast<std::uint64_t>(words[l]);
      too_far |= word >> (address_bits - shift);
      address[l] = static_cast<std::int64_t>(word << shift);
    };
    if (view.active == ~std::uint32_t{0})
      for (std::size_t l = 0; l < warp_lanes; ++l) place(l);
    else
      for (std::uint32_t rest = view.active; rest != 0; rest &= rest - 1)
        place(static_cast<std::size_t>(std::countr_zero(rest)));
    if (too_far != 0) no_such_word(view, index, address_bits - shift, in);
    if (most_words > 0) check_size(view, index, most_words, in);
    if (in_array)
      for (std::uint32_t rest = view.active; rest != 0; rest &= rest - 1) {
        std::int64_t& byte = address[static_cast<std::size_t>(std::countr_zero(rest))];
        byte = byte_in_array(byte >> shift, pitch, word_of(in));
      }
    counter.warp(view, address);
  });
  PatternCounts counts = counter.take();
  counts.grid = grid.text();
  counts.blocks = grid.count();
  if (counts.requests == 0) throw InputError("--if: no thread of the launch accesses anything");
  return counts;
}

} // namespace perfmodel
