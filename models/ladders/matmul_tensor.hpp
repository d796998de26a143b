// The time of a matrix product on tensor units whose blocks walk over tiles of C while the copy engine runs
// ahead:
//   T = start + rounds of tiles x max( tile's FMAs / rate of an SM, tile's bytes / what L2 brings it )
//             + (rounds - 1) x store
//
//   start  what a launch takes beside its sums: the turn of launches, first boxes, stores of a round (probe
//          tensor-feed, from sums of one length and of nine), in between for other numbers of SMs; where that
//          is unknown the turn of launches and the first load, and every round stores
//   rate   of an SM's units: their share of what all sustain while they are fed from L2, the boost clock's at
//          most (probe tensor-feed, of 128 SMs: under the power cap that is the same for a few more; else
//          what they sustain alone)
//   L2     its bandwidth, shared by the SMs at work, and what an SM's banks take in
//   store  a tile's lines, which the copy engine writes, at the same share of L2, and the drain of a block's
//          stores
//
// The last round may leave SMs idle. Assumes that loads are far enough ahead, and that device memory and the
// stores draw no power that counts.
#pragma once

#include "matmul_counts.hpp"
#include "matmul_rung.hpp"
#include "models/simulate/sm_model.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace perfmodel {

struct TensorTime {
  Seconds time;
  std::string bound;
  Count blocks = 0;
};

// Throws InputError where the device's files lack what is needed.
template <class T> TensorTime tensor_time(const Gpu& gpu, const MatmulRung& rung, double n, T& trace) {
  const bool bf16 = rung.version == MatmulVersion::tensor_bf16;
  const auto unit = trace.fact(gpu, bf16 ? facts::throughput_bf16_tensor : facts::throughput_tf32_tensor);
  const auto& fed = bf16 ? facts::sustained_bf16_tensor_fed : facts::sustained_tf32_tensor_fed;
  const double boost = value_of(trace.fact(gpu, facts::clock)).value;
  const double sms = value_of(trace.fact(gpu, facts::sm_count));
  const double flops_per_cycle = 2 * value_of(unit).value;
  const ArithmeticUnit& units = *units_of(gpu, bf16 ? Precision::bf16 : Precision::tf32).front();
  const double most = value_of(lesser(trace.cost(gpu, fed), peak(gpu, units, trace))).value;
  const auto rows = static_cast<double>(rung.rows), columns = static_cast<double>(rung.columns),
             depth = static_cast<double>(rung.depth), cluster = static_cast<double>(rung.cluster);
  const double steps = tensor_steps(rung, n);
  const double tiles = std::ceil(n / (rows * cluster)) * std::ceil(n / columns), // of a cluster
      at_once = std::floor(sms / cluster);
  const double flops = 2 * rows * columns * depth * steps;
  const double loaded = (rows + columns / cluster) * depth * steps * rung.word;       // from L2 by one block
  const double fill = value_of(trace.cost(gpu, facts::l1_fill_interval)).value / 128; // a byte
  const double l2_bandwidth = value_of(trace.cost(gpu, facts::sustained_l2)).value;

  const double stored = std::min(rows, n) * std::min(columns, n) * rung.out_word;
  const double drain = value_of(trace.cost(gpu, facts::block_store_drain)).value / boost;

  const double full = std::floor(tiles / at_once), rest = tiles - full * at_once;
  std::string bound;
  // The first call is of the round that stands for all.
  const auto round = [&](double clusters) {
    const double busy = clusters * cluster;
    const double clock = std::min(boost, most / (busy * flops_per_cycle));
    const double product = flops / (flops_per_cycle * clock);
    const double byte = std::max(fill / clock, busy / l2_bandwidth);
    const double feed = loaded * byte, store = stored * byte;
    const double longer = std::max(product, feed);
    if (bound.empty()) {
      bound = feed > product ? "L2" : "tensor units";
      const auto tell = [&](std::string_view symbol, std::string_view meaning, double seconds) {
        (void)trace.define(std::string(symbol), std::string(meaning), trace.number(Seconds{seconds}));
      };
      tell("t_product", "a tile's products, at an SM's share of what all sustain", product);
      tell("t_l2", "its parts of A and B from L2", feed);
      tell("t_store", "its lines to L2", store);
    }
    return std::pair{longer, store + drain};
  };
  const auto& few_key = bf16 ? facts::tensor_bf16_start : facts::tensor_tf32_start;
  const auto& many_key = bf16 ? facts::tensor_bf16_start_of_all : facts::tensor_tf32_start_of_all;
  const auto start = [&] {                // with the stores of one round
    constexpr double few = 8, many = 128; // SMs, of the probe
    const double least = value_of(trace.cost(gpu, few_key)).value,
                 most_of_all = value_of(trace.cost(gpu, many_key)).value,
                 busy = std::min(at_once, tiles) * cluster;
    return std::lerp(least, most_of_all, std::clamp((busy - few) / (many - few), 0.0, 1.0));
  };
  double all =
      value_of(trace.define("start", "of a launch with so many SMs at work", trace.number(Seconds{start()})))
          .value;
  if (full > 0) {
    const auto [longer, stores] = round(at_once);
    all += full * longer + (full - (rest == 0 ? 1 : 0)) * stores;
  }
  if (rest > 0) {
    const auto [longer, stores] = round(rest);
    all += longer;
  }
  if (full == 0 && rest < 0.9 * at_once) bound += ", of too few SMs";
  const auto time = trace.define(
      "T", fmt::format("{:.0f} full rounds of tiles, the rest, their stores, and the start", full),
      trace.number(Seconds{all}));
  return {value_of(time), bound, tiles * cluster};
}

} // namespace perfmodel
