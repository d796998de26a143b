// The time of a matrix product on tensor units whose blocks walk over tiles of C while the copy engine runs
// ahead:
//   T = start + sum over rounds of tiles max( tile's FMAs / rate, tile's bytes / SM's share of L2 ) + store
//   rate = min( SMs at work x units x clock, what all of them sustain under the power cap )
// The last round may leave SMs idle. Assumes that loads are far enough ahead.
#pragma once

#include "matmul_rung.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <cmath>
#include <string>

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
  const auto& sustained_key = bf16 ? facts::sustained_bf16_tensor : facts::sustained_tf32_tensor;
  const double clock = value_of(trace.fact(gpu, facts::clock)).value;
  const double sms = value_of(trace.fact(gpu, facts::sm_count));
  const double rate_of_sm = 2 * value_of(unit).value * clock;
  const double most = gpu.record(sustained_key.path) != nullptr
                          ? value_of(trace.fact(gpu, sustained_key)).value
                          : sms * rate_of_sm;
  const auto rows = static_cast<double>(rung.rows), columns = static_cast<double>(rung.columns),
             depth = static_cast<double>(rung.depth), cluster = static_cast<double>(rung.cluster);
  const double steps = std::ceil(n / depth);
  const double tiles = std::ceil(n / (rows * cluster)) * std::ceil(n / columns), // of a cluster
      at_once = std::floor(sms / cluster);
  const double flops = 2 * rows * columns * depth * steps;
  const double loaded = (rows + columns / cluster) * depth * steps * rung.word; // from L2 by one block

  const auto l2 = gpu.find(facts::sustained_l2);
  std::string bound = "tensor units";
  const auto round = [&](double clusters) {
    const double busy = clusters * cluster;
    const double product = flops * busy / std::min(busy * rate_of_sm, most);
    const double feed = l2 ? loaded * sms / l2->value.value : 0;
    if (feed > product) bound = "L2";
    return std::max(product, feed);
  };
  const double full = std::floor(tiles / at_once), rest = tiles - full * at_once;
  if (l2) (void)trace.fact(gpu, facts::sustained_l2);

  // The first loads, the registers of each tile to L2, and what a block's stores need to leave.
  const double start = value_of(fact_or(gpu, facts::block_load_latency, Cycles{0}, trace)).value / clock;
  const double drain = value_of(fact_or(gpu, facts::block_store_drain, Cycles{0}, trace)).value / clock;
  // A warp stores 4 bytes a thread, in 8 rows of C (of C^T: 4).
  const double lines = rows * columns * rung.out_word / 128 * (bf16 ? 8 : 4);
  const double line_rate = value_of(fact_or(gpu, facts::l1_line_rate, PerCycle{1}, trace)).value;
  const double store = lines / line_rate / clock + drain;
  const double rounds = full + (rest > 0 ? 1 : 0);
  const double turnover = value_of(fact_or(gpu, facts::kernel_turnover, Seconds{0}, trace)).value;
  const double time =
      turnover + start + full * round(at_once) + (rest > 0 ? round(rest) : 0) + rounds * store;
  if (full == 0 && rest < 0.9 * at_once) bound += ", of too few SMs";
  return {Seconds(time), bound, tiles * cluster};
}

} // namespace perfmodel
