#include "partition_camping.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace perfmodel {

namespace {

using In = PartitionCamping::Input;

// One warp-wide instruction moves 32 of a tile's elements; beyond this a walk takes long, and no tile is.
constexpr double largest_tile = 64, largest_n = 1e6;

void check(const In& in) {
  if (in.tile > largest_tile) throw InputError("--tile: at most 64 rows and columns");
  if (in.n > largest_n) throw InputError("--n: at most 1 000 000 rows and columns");
  if (in.pitch && (*in.pitch < in.n || *in.pitch > largest_n))
    throw InputError(
        "--pitch: at least the words of a row are expected (--n, default 4096), and at most 1 000 000");
  if (std::exp2(std::round(std::log2(in.word.value))) != in.word.value || in.word.value > 16)
    throw InputError("--word: 1, 2, 4, 8 or 16 bytes are expected");
  if (in.distance && (in.n != In{}.n || in.pitch || in.mapping != TileMapping::cartesian))
    throw InputError("--distance is instead of a matrix: --n, --pitch and --mapping have no part in it");
  if (in.distance && in.map > 0) throw InputError("--map shows the tiles of a matrix: --distance has none");
  if (in.map > largest_tile) throw InputError("--map: at most 64 rows of blocks are shown");
  if (in.address && in.address->value != std::floor(in.address->value))
    throw InputError("--address: a whole number of bytes is expected");
  if (in.distance && *in.distance < Bytes(1)) throw InputError("--distance: at least 1 B is expected");
}

std::int64_t whole(Count n) { return static_cast<std::int64_t>(n); }

template <class T> Count resident_blocks(const Gpu& gpu, const In& in, T& trace) {
  if (in.blocks) {
    const Count most = gpu.at(facts::max_blocks_per_sm).value;
    if (*in.blocks > most)
      throw InputError(
          fmt::format("--blocks {:.0f}: an SM of {} holds at most {:.0f}", *in.blocks, gpu.name, most));
    return *in.blocks;
  }
  Launch launch;
  launch.threads_per_block = in.tile * in.rows;
  const bool through_shared = in.kernel == MatrixKernel::tile_copy || in.kernel == MatrixKernel::padded;
  const double row = in.kernel == MatrixKernel::padded ? in.tile + 1 : in.tile;
  if (through_shared) launch.shared_per_block = in.tile * row * in.word;
  return explained_occupancy(gpu, launch, trace).blocks;
}

MatrixWalk walk_of(const In& in, Count window) {
  return {.kernel = in.kernel,
          .mapping = in.mapping,
          .n = whole(in.n),
          .pitch = whole(in.pitch.value_or(in.n)),
          .tile = whole(in.tile),
          .word = whole(in.word.value),
          .window = whole(window)};
}

PartitionLoad walked(const Gpu& gpu, const Partitions& p, const MatrixWalk& m) {
  return walk_matrix(p, coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                     coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard), m);
}

// A row that says what was asked.
PartitionCamping::Camping asked_of(const In& in) {
  if (in.distance) return {};
  const auto name = [](auto choice) { return std::string(names(choice)[static_cast<std::size_t>(choice)]); };
  return {.kernel = name(in.kernel),
          .mapping = name(in.mapping),
          .n = in.n,
          .pitch = in.pitch.value_or(absent),
          .tile = in.tile,
          .word = in.word};
}

// What shortens the walk: the next pitch, in whole interleaves, at which a column of tiles meets all
// partitions, and tiles along diagonals.
std::string advice(const Gpu& gpu, const Partitions& p, const In& in, Count window, std::int64_t met,
                   const PartitionLoad& load) {
  if (in.distance)
    return met == p.count ? "Nothing to gain: all partitions are met."
                          : fmt::format("Add {} B to the distance.", p.interleave);
  if (in.kernel == MatrixKernel::naive || in.kernel == MatrixKernel::strided_both)
    return "Go through shared memory, so that rows are read and rows are written (--kernel padded).";
  std::vector<std::string> remedies;
  const auto add_where_it_helps = [&](std::string remedy, const MatrixWalk& other) {
    const PartitionLoad then = walked(gpu, p, other);
    const double gain = load.busiest / load.share / (then.busiest / then.share);
    if (gain > 1.02) remedies.push_back(fmt::format("{} ({:.3g} times the bandwidth)", remedy, gain));
  };
  MatrixWalk longer = walk_of(in, window), diagonal = longer;
  std::int64_t next = (longer.pitch * longer.word / p.interleave + 1) * p.interleave;
  while (partitions_met(p, next) < p.count) next += p.interleave;
  longer.pitch = next / longer.word;
  add_where_it_helps(fmt::format("pad the rows to {} words", longer.pitch), longer);
  diagonal.mapping = TileMapping::diagonal;
  if (in.mapping == TileMapping::cartesian)
    add_where_it_helps("deal the tiles to blocks along diagonals", diagonal);
  if (remedies.empty()) return "Nothing to gain from longer rows or another order of tiles.";
  std::string text = fmt::format("{}.", fmt::join(remedies, ", or "));
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

// The partition of the first byte that a block's tile loads, for the blocks of the grid's corner.
std::vector<PartitionCamping::Tiles> corner(const Partitions& p, const MatrixWalk& m, std::int64_t rows) {
  constexpr std::int64_t columns = 16;
  const std::int64_t across = (m.n + m.tile - 1) / m.tile;
  std::vector<PartitionCamping::Tiles> table;
  for (std::int64_t y = 0; y < std::min(rows, across); ++y) {
    std::string text;
    for (std::int64_t x = 0; x < std::min(columns, across); ++x) {
      const bool diagonal = m.mapping == TileMapping::diagonal;
      const std::int64_t column = diagonal ? (x + y) % across : x, row = diagonal ? x : y;
      text += fmt::format("{}{}", x == 0 ? "" : " ",
                          partition_of(p, (row * m.tile * m.pitch + column * m.tile) * m.word));
    }
    table.push_back({.row = static_cast<double>(y), .partitions = std::move(text)});
  }
  return table;
}

} // namespace

template <class T>
PartitionCamping::Tables PartitionCamping::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(in);
  const auto known = gpu.find(facts::dram_mapping);
  const std::string mapping = known ? known->value : "not known";
  trace.say(facts::dram_mapping.path, facts::dram_mapping.meaning, mapping);
  const auto beta = in.distance ? read_bandwidth(gpu, trace) : copy_bandwidth(gpu, trace);
  if (mapping != "interleaved" && (in.address || in.map > 0))
    throw InputError(
        fmt::format("{}: which partition holds an address is not known, so --address and --map have "
                    "no answer: dram.mapping is {}",
                    gpu.name, mapping));
  if (mapping == "hashed" || !known) {
    // Where nobody knows, the answer is an assumption: at worst one partition of eight would serve
    // everything.
    if (!known) trace.grades.add(Grade::assumed);
    const bool worst = !known && trace.shift.grade == Grade::assumed && !trace.shift.high;
    Camping row = asked_of(in);
    row.even_bandwidth = value_of(beta);
    row.bandwidth = worst ? value_of(beta) / 8 : value_of(beta);
    row.bound = known ? "DRAM: its partitions are met evenly"
                      : "DRAM, if addresses are hashed: dram.mapping is not known";
    row.advice = known ? "No other mapping to gain from: addresses are hashed over the partitions."
                       : "Not known here: measure partition-camping. GPUs from cc 7.0 on hash "
                         "addresses, and have nothing to gain.";
    return {{std::move(row)}, {}};
  }
  if (mapping != "interleaved")
    throw InputError(
        fmt::format("{}: dram.mapping '{}': interleaved or hashed is expected", gpu.name, mapping));

  const auto n_partitions = trace.fact(gpu, facts::dram_partitions);
  const auto interleave = trace.fact(gpu, facts::dram_interleave);
  Partitions partitions{.count = whole(value_of(n_partitions)),
                        .interleave = whole(value_of(interleave).value),
                        .bandwidth = value_of(beta).value};
  partitions.segment_rate = value_of(trace.cost(gpu, facts::dram_segment_rate)).value;
  const Count blocks = resident_blocks(gpu, in, trace);
  const auto window = trace.define("window", "resident blocks of the device",
                                   trace.fact(gpu, facts::sm_count) * trace.number(blocks));

  const MatrixWalk matrix = walk_of(in, value_of(window));
  const double useful =
      in.distance ? value_of(window) * value_of(interleave).value : 2 * in.n * in.n * in.word.value;
  const PartitionLoad load =
      in.distance ? walk_streams(partitions, whole(in.distance->value), whole(value_of(window)))
                  : walked(gpu, partitions, matrix);
  const auto bytes = trace.define("bytes", "asked for", trace.number(Bytes(useful)));
  const auto even = trace.define("even", "time with each window's work spread evenly, walked",
                                 trace.number(Seconds(load.even / load.share)));
  const auto busiest = trace.define("busiest", "time of the busiest partition, window after window, walked",
                                    trace.number(Seconds(load.busiest / load.share)));
  const auto bandwidth = trace.define("bandwidth", "bytes asked for per second", bytes / busiest);
  const std::int64_t met = in.distance ? partitions_met(partitions, whole(in.distance->value))
                                       : partitions_met(partitions, matrix);
  const double share = load.even / load.busiest;
  const bool segments_bind = load.even * partitions.bandwidth > 1.02 * useful * load.share;
  std::string bound = share < 0.9     ? "the busiest partition"
                      : segments_bind ? "bytes not asked for, and segments too short for the rate of DRAM"
                                      : "DRAM";
  Camping row = asked_of(in);
  row.partitions = value_of(n_partitions);
  row.met = static_cast<double>(met);
  row.window = value_of(window);
  row.even = share;
  row.busiest = 1 / share;
  row.segments = load.segments / load.share / useful * 1024;
  row.even_bandwidth = value_of(bytes / even);
  row.bandwidth = value_of(bandwidth);
  row.bound = bound;
  row.advice = advice(gpu, partitions, in, value_of(window), met, load);
  if (in.address) row.partition = static_cast<double>(partition_of(partitions, whole(in.address->value)));
  Tables tables;
  std::get<0>(tables).push_back(std::move(row));
  if (!in.distance) std::get<1>(tables) = corner(partitions, matrix, whole(in.map));
  return tables;
}

std::string PartitionCamping::verdict(const Gpu&, const Input&, const Tables& rows) {
  const Camping& c = std::get<0>(rows).front();
  if (std::isnan(c.partitions))
    return fmt::format("{}: no partition is camped on, up to {} if nothing else binds.",
                       c.bound.find("not known") == std::string::npos
                           ? "Addresses are hashed over the partitions"
                           : "If addresses are hashed over the partitions, which is not known here",
                       in_words(c.bandwidth));
  if (c.even >= 0.9)
    return fmt::format("The partitions are met {}evenly: device memory allows {} of {}, {}.",
                       c.even < 0.995 ? "nearly " : "", in_words(c.bandwidth), in_words(c.even_bandwidth),
                       in_percent(c.even));
  return fmt::format("The busiest partition leaves {} of {}, {}: it works {} times as long as the mean.",
                     in_words(c.bandwidth), in_words(c.even_bandwidth), in_percent(c.even),
                     in_words(c.busiest));
}

template PartitionCamping::Tables PartitionCamping::predict(const Gpu&, const Input&, Plain&);
template PartitionCamping::Tables PartitionCamping::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
