// What a kernel of known bytes and time has in flight, beside its point under the roof.
#include "roofline.hpp"

#include "models/core/error.hpp"

namespace perfmodel {

namespace {

void check_launch(const Roofline::Input& in) {
  const bool timed = in.bytes && in.time && in.level == Level::dram;
  if (in.threads && !timed)
    throw InputError("--threads says what holds back a kernel of --bytes of device memory and --time");
  if (!in.threads && (in.registers || in.blocks || in.shared > Bytes{0}))
    throw InputError("--registers, --shared and --blocks need --threads beside them");
}

} // namespace

LaunchInFlight launch_of(const Roofline::Input& in) {
  return {.threads = in.threads,
          .registers = in.registers,
          .shared = in.shared,
          .blocks = in.blocks,
          .word = in.word,
          .loads = in.loads};
}

template <class T> Roofline::Points Roofline::predict(const Gpu& gpu, const Input& in, T& trace) {
  check_launch(in);
  Points found{kernels(gpu, in, trace), {}};
  if (!in.bytes || !in.time || in.level != Level::dram) return found;
  if (const auto row = bytes_in_flight(gpu, *in.bytes, *in.time, launch_of(in), trace)) {
    std::get<1>(found).push_back(*row);
  } else if (std::get<0>(found).empty()) { // nothing else was asked: the missing fact is named
    gpu.cost(facts::dram_latency);
    gpu.at(facts::dram_bandwidth);
    gpu.at(facts::clock);
  }
  return found;
}

template Roofline::Points Roofline::predict(const Gpu&, const Input&, Plain&);
template Roofline::Points Roofline::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
