#include "coalescing.hpp"

#include "models/access/coalescing_advice.hpp"
#include "models/access/coalescing_launch.hpp"
#include "models/access/dram_bandwidth.hpp"
#include "models/access/l1_time.hpp"
#include "models/access/pattern_walk.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

// Time of DRAM for bytes read and written in turn.
template <class T> auto dram_time(const Gpu& gpu, double read, double written, T& trace) {
  const auto r = trace.define("R", "bytes that DRAM reads", trace.number(Bytes(read)));
  const auto w = trace.define("W", "bytes that are written to DRAM", trace.number(Bytes(written)));
  const auto b_read = read_bandwidth(gpu, trace), b_write = write_bandwidth(gpu, trace);
  if (read == 0 || written == 0) return trace.define("t_dram", "time of DRAM", r / b_read + w / b_write);
  const auto one = trace.number(1.0);
  const auto turn =
      trace.define("t_turn", "what a byte read and one written lose by turns, per byte",
                   trace.number(2.0) / copy_bandwidth(gpu, trace) - one / b_read - one / b_write);
  return trace.define("t_dram", "time of DRAM", r / b_read + w / b_write + lesser(r, w) * turn);
}

// Time of DRAM for opening rows; empty where the pattern opens none for little.
template <class T>
auto row_time(const Gpu& gpu, const PatternCounts& counts, T& trace)
    -> std::optional<decltype(dram_time(gpu, 0, 0, trace))> {
  const bool reads = counts.rows_read > 0, writes = counts.rows_written > 0;
  if (!(reads || writes)) return std::nullopt;
  std::optional<decltype(dram_time(gpu, 0, 0, trace))> time;
  if (reads)
    time = trace.define("rows_read", "openings of DRAM rows for reads, counted",
                        trace.number(counts.rows_read)) /
           trace.cost(gpu, facts::dram_segment_rate);
  if (writes) {
    const auto written = trace.define("rows_written", "openings of DRAM rows for writes, counted",
                                      trace.number(counts.rows_written)) /
                         trace.cost(gpu, facts::dram_scatter_rate);
    time = time ? *time + written : written;
  }
  return trace.define("t_rows", "time of DRAM for opening rows", *time);
}

// Time of L2; empty where loads and stores pass none.
template <class T>
auto l2_time(const Gpu& gpu, const PatternCounts& counts, T& trace)
    -> std::optional<decltype(dram_time(gpu, 0, 0, trace))> {
  if (!gpu.has_cost(facts::sustained_l2)) return std::nullopt;
  constexpr double line = 128;
  const bool split = counts.split_lines > 0;
  const auto lines = static_cast<double>(split ? counts.split_lines : 0);
  auto time =
      trace.define(
          "plain", "bytes between L2 and the SMs, but for those of split lines, counted",
          trace.number(Bytes(std::max(static_cast<double>(counts.between_l2_and_sms) - line * lines, 0.0)))) /
      trace.cost(gpu, facts::sustained_l2);
  if (split)
    time = time + trace.define("split", "lines of which two warps write one sector, each a part",
                               trace.number(lines)) /
                      trace.cost(gpu, facts::l2_split_rate);
  return trace.define("t_l2", "time of L2", time);
}

// They are counted, so that 64.02 B is 64 B.
template <class T> DramPieces dram_pieces(const Gpu& gpu, T& trace) {
  const auto piece = [&](const Key<Bytes>& key) -> std::optional<std::int64_t> {
    if (!gpu.has_cost(key)) return std::nullopt;
    return std::int64_t{1} << std::lround(std::log2(value_of(trace.cost(gpu, key)).value));
  };
  return {piece(facts::dram_atom), piece(facts::dram_row_reach)};
}

// By the same threads, of words one behind the other.
BytesPerSecond of_consecutive(const Gpu& gpu, Coalescing::Input in) {
  in.index = {};
  if (in.condition.empty()) in.let = {};
  in.stride = 1, in.offset = 0, in.permutation = Permutation::identity;
  Plain plain;
  return Coalescing::predict(gpu, in, plain).bandwidth;
}

// More than device memory moves, and less than words side by side would get.
std::string held_against(const Gpu& gpu, const Coalescing::Input& in, const Coalescing::Pattern& of) {
  if (of.bytes_unique < of.bytes_requested) return ", a word counted for each lane that shares it";
  if (of.efficiency >= 1 || in.path != ReadPath::global) return "";
  const double slower = of_consecutive(gpu, in) / of.bandwidth;
  return slower < 1.05 ? "" : fmt::format(", {} times as slow as words side by side", in_words(slower));
}

BytesPerSecond of_plain_loads(const Gpu& gpu, Coalescing::Input in) {
  in.path = ReadPath::global;
  Plain plain;
  return Coalescing::predict(gpu, in, plain).bandwidth;
}

// How long a word takes through a texture unit, from its cache, and from the nearest place that keeps it for
// plain loads.
template <class T> std::string latencies(const Gpu& gpu, T& trace) {
  const bool l1 = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard).l1;
  const Key<Cycles>& plain = l1 ? facts::l1_latency : has_l2(gpu) ? facts::l2_latency : facts::dram_latency;
  if (gpu.record(facts::texture_latency) == nullptr || !gpu.has_cost(plain)) return ""; // else a guess
  const double texture = value_of(trace.cost(gpu, facts::texture_latency)).value,
               load = value_of(trace.cost(gpu, plain)).value;
  return fmt::format(
      " A word comes after {} cycles from the texture units' cache, by a load from {} after {}{}",
      in_words(texture),
      l1            ? "L1"
      : has_l2(gpu) ? "L2"
                    : "device memory",
      in_words(load), texture < load ? "." : ": no help where reads wait for each other.");
}

} // namespace

template <class T> Coalescing::Pattern Coalescing::predict(const Gpu& gpu, const Input& in, T& trace) {
  const PatternCounts counts = count_pattern(gpu, in, dram_pieces(gpu, trace));
  const auto number = [](std::int64_t n) { return static_cast<double>(n); };
  const double asked = number(counts.requested);
  trace.say("grid", "blocks that were walked", counts.grid);
  if (counts.cached) (void)trace.fact(gpu, facts::l2_size);
  if (!counts.followed.empty())
    trace.say("sample", "of memory, in which L2 was followed and that stands for all", counts.followed);
  trace.say("rule", "of the compute capability", gpu.at(facts::coalescing_class).value);
  const auto requested =
      trace.define("requested", "bytes that the threads ask for, counted", trace.number(Bytes(asked)));
  const auto unique = trace.define("unique", "the same, words that threads share once",
                                   trace.number(Bytes(number(counts.unique))));
  const auto moved =
      trace.define("moved", "bytes of the transactions, counted", trace.number(Bytes(number(counts.moved))));
  const auto efficiency = trace.define("efficiency", "of what is moved, what was asked for", unique / moved);
  auto time = dram_time(gpu, number(counts.dram_read), number(counts.dram_written), trace);
  std::string bound = counts.dram_filled > 0 ? "DRAM, fills of sectors written in part included" : "DRAM";
  if (counts.shared_fills > 0) {
    time = trace.define("t_fills", "and of L2 for the fills that are not left to the end",
                        time + trace.define("shared_fills", "lines filled that two warps wrote, counted",
                                            trace.number(number(counts.shared_fills))) /
                                   trace.cost(gpu, facts::l2_split_rate));
    bound = "DRAM and L2, fills of lines that two warps write in part";
  }
  const auto at_least = [&](const auto& other, const char* what) {
    if (!other) return;
    if (value_of(*other) > value_of(time)) bound = what;
    time = greater(time, *other);
  };
  at_least(row_time(gpu, counts, trace), "DRAM, rows opened for little");
  at_least(l2_time(gpu, counts, trace),
           counts.split_lines > 0 ? "L2, sectors that two warps write in part" : "L2");
  at_least(l1_time(gpu, counts, trace), !counts.cached ? "SMs, bytes handed to registers"
                                        : counts.wavefronts > counts.least_wavefronts
                                            ? "L1, bank conflicts of words in different lines"
                                            : "L1, bytes handed to registers");
  at_least(l1_line_time(gpu, counts, trace), "L1, lines that each load looks up");
  at_least(texture_time(gpu, counts, trace), "texture units");
  if (!counts.cached && counts.row_step != 1) // the walk knows no windows of resident blocks
    bound += " at most: isolated segments and busy partitions are counted by partition-camping";
  if (!counts.cached && in.cache != LoadCache::standard)
    bound += "; --cache has no part in it: no cache holds what is loaded";
  auto bandwidth = trace.define("bandwidth", "bytes asked for per second", requested / time);
  if (in.ilp) {
    const KernelTime launch = coalescing_launch(gpu, in, trace);
    const double both = in.access == GlobalAccess::copy ? 2 : 1;
    const auto words =
        trace.define("words", "of a launch, bytes",
                     trace.number(Bytes(both * launch.blocks * static_cast<double>(in.block.count()) *
                                        *in.ilp * in.word.value)));
    bandwidth = trace.define("bandwidth(ilp)", "with so many words of a thread in flight",
                             words / trace.define("T(ilp)", "of that launch", trace.number(launch.time)));
    bound = launch.bound;
  }
  const double gain = in.path == ReadPath::global ? absent : value_of(bandwidth) / of_plain_loads(gpu, in);
  std::string advice = std::isnan(gain) ? advice_on(counts, static_cast<std::int64_t>(in.word.value), in)
                                        : advice_on_path(gain);
  if (passes_texture_units(gpu, in.path)) advice += latencies(gpu, trace);
  return {.stride = in.index.empty() ? in.stride : absent,
          .path = std::string(names(in.path)[static_cast<std::size_t>(in.path)]),
          .requests = number(counts.requests),
          .transactions = number(counts.transactions),
          .transactions_per_request = number(counts.transactions) / number(counts.requests),
          .bytes_requested = value_of(requested),
          .bytes_unique = value_of(unique),
          .bytes_moved = value_of(moved),
          .efficiency = value_of(efficiency),
          .requested_per_moved = asked / number(counts.moved),
          .block_reuse = counts.loaded > 0 ? number(counts.loaded) / number(counts.loaded_by_blocks) : absent,
          .dram_read = number(counts.dram_read) / asked,
          .dram_written = number(counts.dram_written) / asked,
          .dram_bytes = number(counts.dram_read + counts.dram_written) / asked,
          .bandwidth = value_of(bandwidth),
          .gain = gain,
          .bound = bound,
          .grid = counts.grid,
          .first_warp = counts.first_warp,
          .index = index_of(in).text(),
          .advice = advice};
}

std::string Coalescing::verdict(const Gpu& gpu, const Input& in, const Pattern& rows) {
  const std::string used =
      rows.efficiency >= 1 ? std::string("Every byte moved was asked for")
                           : fmt::format("{} of the bytes moved were asked for", in_percent(rows.efficiency));
  // The advice says what was probably meant.
  const std::string warning =
      rows.advice.rfind("Every block", 0) == 0 ? " Every block touches the same words: see the advice." : "";
  const std::string beside =
      std::isnan(rows.gain) ? "" : fmt::format(", {} times plain loads", in_words(rows.gain));
  return fmt::format("{}, with {} per request: {}{}{}, bound by {}.{}", used,
                     in_words(rows.transactions_per_request, "transactions"), in_words(rows.bandwidth),
                     beside, warning.empty() ? held_against(gpu, in, rows) : "", binding(rows.bound),
                     warning);
}

template Coalescing::Pattern Coalescing::predict(const Gpu&, const Input&, Plain&);
template Coalescing::Pattern Coalescing::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
