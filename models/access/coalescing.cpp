#include "coalescing.hpp"

#include "models/access/coalescing_advice.hpp"
#include "models/access/dram_bandwidth.hpp"
#include "models/access/pattern_walk.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace {

// Time of DRAM for bytes read and written in turn.
template <class T> auto dram_time(const Gpu& gpu, double read, double written, T& trace) {
  const auto r = trace.define("R", "bytes that DRAM reads", trace.number(Bytes(read)));
  const auto w = trace.define("W", "bytes that are written to DRAM", trace.number(Bytes(written)));
  const bool both = gpu.record(facts::sustained_dram_read.path) != nullptr &&
                    gpu.record(facts::sustained_dram_write.path) != nullptr;
  if (!both) // one figure, for whatever mix
    return trace.define("t_dram", "time of DRAM", (r + w) / trace.fact(gpu, copy_bandwidth_key(gpu)));
  const auto b_read = trace.fact(gpu, facts::sustained_dram_read);
  const auto b_write = trace.fact(gpu, facts::sustained_dram_write);
  if (read == 0 || written == 0) return trace.define("t_dram", "time of DRAM", r / b_read + w / b_write);
  const auto one = trace.number(1.0);
  const auto turn = trace.define("t_turn", "what a byte read and one written lose by turns, per byte",
                                 trace.number(2.0) / trace.fact(gpu, copy_bandwidth_key(gpu)) - one / b_read -
                                     one / b_write);
  return trace.define("t_dram", "time of DRAM", r / b_read + w / b_write + lesser(r, w) * turn);
}

} // namespace

template <class T> Coalescing::Pattern Coalescing::predict(const Gpu& gpu, const Input& in, T& trace) {
  const PatternCounts counts = count_pattern(gpu, in);
  const auto number = [](std::int64_t n) { return static_cast<double>(n); };
  const double asked = number(counts.requested);
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
  if (gpu.record(facts::sustained_l2.path) != nullptr) {
    const auto l2 = trace.define("t_l2", "time of L2 for the bytes between it and the SMs",
                                 trace.number(Bytes(number(counts.between_l2_and_sms))) /
                                     trace.fact(gpu, facts::sustained_l2));
    if (value_of(l2) > value_of(time)) bound = "L2";
    time = greater(time, l2);
  }
  const auto bandwidth = trace.define("bandwidth", "bytes asked for per second", requested / time);
  return {.stride = in.index.empty() ? in.stride : absent,
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
          .bandwidth = value_of(bandwidth),
          .bound = bound,
          .first_warp = counts.first_warp,
          .index = index_of(in).text(),
          .advice = advice_on(counts, static_cast<std::int64_t>(in.word.value), in)};
}

template Coalescing::Pattern Coalescing::predict(const Gpu&, const Input&, Plain&);
template Coalescing::Pattern Coalescing::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
