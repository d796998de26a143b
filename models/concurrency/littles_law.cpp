#include "littles_law.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace {

std::string fits(double needed, double resident, const char* holder, const char* remedy) {
  if (needed <= resident) return "yes";
  return fmt::format("no: more than the {:.0f} threads {} can hold; {}", resident, holder, remedy);
}

// What one load instruction moves for a thread.
void check_word(Bytes word) {
  for (const double bytes : {1, 2, 4, 8, 16})
    if (word.value == bytes) return;
  throw InputError(fmt::format("--word: a load is of 1, 2, 4, 8 or 16 B, not of {}", in_words(word)));
}

template <class T>
std::vector<LittlesLaw::Arithmetic> arithmetic(const Gpu& gpu, const LittlesLaw::Input& in, T& trace) {
  const bool fp64 = in.precision == FmaPrecision::fp64;
  const auto latency_key = fp64 ? facts::fp64_latency : facts::fma_latency;
  const auto rate_key = fp64 ? facts::throughput_fp64_fma : facts::throughput_fp32_fma;
  units_of(gpu, precision_of(in.precision)); // the sentence about a device without such units
  // Nobody asked for the arithmetic side of the default; the memory side still has an answer.
  if (!fp64 && !gpu.has_cost(latency_key)) return {};
  const auto latency = trace.cost(gpu, latency_key);
  const auto lanes = trace.fact(gpu, rate_key);
  const auto in_flight = trace.define("in_flight", "operations in flight per SM", latency * lanes);
  const auto threads =
      trace.define("threads", "threads per SM", round_up(in_flight / trace.input("ilp", in.ilp)));
  const auto warps =
      trace.define("warps", "warps per SM", round_up(threads / trace.fact(gpu, facts::warp_size)));
  const double resident = value_of(trace.fact(gpu, facts::max_threads_per_sm));
  return {{.precision = in.precision,
           .latency = value_of(latency),
           .throughput = value_of(lanes),
           .in_flight = value_of(in_flight),
           .ilp = in.ilp,
           .threads = value_of(threads),
           .warps = value_of(warps),
           .resident = resident,
           .fits = fits(value_of(threads), resident, "an SM", "raise --ilp")}};
}

} // namespace

template <class T> LittlesLaw::Tables LittlesLaw::predict(const Gpu& gpu, const Input& in, T& trace) {
  check_word(in.word);
  auto arithmetic_rows = arithmetic(gpu, in, trace);
  const auto latency = trace.cost(gpu, facts::dram_latency);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto beta = bandwidth(gpu, Level::dram, in.basis, trace);
  const auto in_flight =
      trace.define("bytes_in_flight", "bytes in flight on the device", latency / clock * beta);
  const auto per_thread = trace.define("bytes_per_thread", "bytes a thread has in flight",
                                       trace.input("loads", in.loads) * trace.input("word", in.word));
  const auto threads =
      trace.define("memory_threads", "threads on the device", round_up(in_flight / per_thread));
  const auto sm_count = trace.fact(gpu, facts::sm_count);
  const auto warps = trace.define("memory_warps", "warps per SM, spread evenly",
                                  round_up(threads / sm_count / trace.fact(gpu, facts::warp_size)));
  const double sms = value_of(sm_count), per_sm = value_of(trace.fact(gpu, facts::max_threads_per_sm)),
               block = value_of(trace.fact(gpu, facts::max_threads_per_block));
  const Memory memory{.latency = value_of(latency),
                      .bandwidth = value_of(beta),
                      .in_flight = value_of(in_flight),
                      .in_flight_per_sm = value_of(in_flight) / sms,
                      .word = in.word,
                      .loads = in.loads,
                      .threads = value_of(threads),
                      .warps = value_of(warps),
                      .resident = sms * per_sm,
                      .fits = fits(value_of(threads), sms * per_sm, "the device", "raise --loads or --word")};
  std::vector<Share> shares;
  const auto share = [&](std::string scope, double n) {
    shares.push_back({std::move(scope), n, memory.in_flight / n});
  };
  share(fmt::format("one block of {:.0f} threads, alone on the device", block), block);
  share(fmt::format("one such block on each of {:.0f} SMs", sms), sms * block);
  share(fmt::format("every SM full, {:.0f} threads", per_sm), sms * per_sm);
  return {std::move(arithmetic_rows), {memory}, std::move(shares)};
}

const void* LittlesLaw::said(const Input&, const Tables& rows) {
  return &std::get<std::vector<Memory>>(rows).front().in_flight;
}

std::string LittlesLaw::verdict(const Gpu&, const Input&, const Tables& rows) {
  const auto& [arithmetic, memory, shares] = rows;
  const Memory& m = memory.front();
  std::string text = fmt::format("Full DRAM bandwidth needs {} in flight, {} or {} per SM; {} fit",
                                 in_words(m.in_flight), in_words(m.threads, "threads"),
                                 in_words(m.warps, "warps"), in_words(m.resident, "threads"));
  if (m.threads > m.resident)
    text += fmt::format(", enough for {} of it", in_percent(m.resident / m.threads));
  if (arithmetic.empty()) return text + ".";
  const Arithmetic& a = arithmetic.front();
  return text + fmt::format(". Full rate of FMAs needs {} per SM, {}; {} fit.",
                            in_words(a.threads, "threads"), in_words(a.warps, "warps"), in_words(a.resident));
}

template LittlesLaw::Tables LittlesLaw::predict(const Gpu&, const Input&, Plain&);
template LittlesLaw::Tables LittlesLaw::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
