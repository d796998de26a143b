#include "operand_bandwidth.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace {

constexpr Flops fma{2};
constexpr double most_squares = 32; // no register file holds a larger square

Bytes word_of(FmaPrecision precision) { return Bytes(precision == FmaPrecision::fp64 ? 8 : 4); }

// Sums, and the m + n operands of a step, in 32-bit registers.
double registers_of(double m, double n, FmaPrecision precision) {
  return (m * n + m + n) * word_of(precision).value / 4;
}

double most_registers(const Gpu& gpu) {
  const auto limit = gpu.find(facts::max_registers_per_thread);
  return limit ? limit->value : registers_of(most_squares, most_squares, FmaPrecision::fp64);
}

template <class T> auto peak_of(const Gpu& gpu, const OperandBandwidth::Input& in, T& trace) {
  const Precision precision = precision_of(in.precision);
  return peak(gpu, *units_of(gpu, precision).front(), trace);
}

// What crosses the ports of the registers when each FMA moves `words`.
template <class T>
OperandBandwidth::Flow flow(const Gpu& gpu, const OperandBandwidth::Input& in, const char* name, double words,
                            T& trace) {
  const auto per_fma = trace.number(words) * trace.number(word_of(in.precision));
  const auto rate = trace.define(name, fmt::format("{} at peak", name),
                                 peak_of(gpu, in, trace) / trace.number(fma) * per_fma);
  return {name, in.precision, value_of(per_fma), value_of(rate)};
}

template <class T> auto bandwidth_of(const Gpu& gpu, Level level, Basis basis, T& trace) {
  const bool known = has_bandwidth(gpu, level, Basis::spec) || has_bandwidth(gpu, level, Basis::measured);
  if (known || level != Level::shared) return bandwidth(gpu, level, basis, trace);
  gpu.at(facts::shared_banks); // the sentence names the banks, which say it on any GPU, and not a measurement
  return shared_bandwidth(gpu, trace);
}

template <class T>
OperandBandwidth::Supply supply(const Gpu& gpu, const OperandBandwidth::Input& in, Level level,
                                BytesPerSecond before, T& trace) {
  const std::string name(names(level)[static_cast<std::size_t>(level)]);
  const auto of = [&](const char* what) { return fmt::format("{}({})", what, name); };
  const Basis other = in.basis == Basis::spec ? Basis::measured : Basis::spec;
  const auto word = trace.number(word_of(in.precision));
  const auto beta = bandwidth_of(gpu, level, in.basis, trace);
  const auto per_fma = trace.define(of("per_fma"), "bytes it delivers for each FMA of the peak",
                                    trace.number(fma) * beta / peak_of(gpu, in, trace));
  const auto reuse = trace.define(of("reuse"), "operands that each of its words must feed",
                                  trace.number(3.0) * word / per_fma);
  const auto tile = trace.define(of("tile"), "edge of the smallest square tile of sums that reaches peak",
                                 round_up(trace.number(2.0) * word / per_fma));
  return {.level = level,
          .precision = in.precision,
          .basis = has_bandwidth(gpu, level, in.basis) ? in.basis : other,
          .bandwidth = value_of(beta),
          .per_fma = value_of(per_fma),
          .reuse = value_of(reuse),
          .step = before / value_of(beta),
          .tile = value_of(tile)};
}

template <class T>
OperandBandwidth::Tile tile(const Gpu& gpu, const OperandBandwidth::Input& in, double m, double n, T& trace) {
  const auto rows = trace.input("m", m), columns = trace.input("n", n);
  const auto per_fma =
      trace.define("per_fma(m, n)", "shared memory that a tile reads for each FMA",
                   trace.number(word_of(in.precision)) * (rows + columns) / (rows * columns));
  const auto most = peak_of(gpu, in, trace);
  const auto fed =
      trace.define("fed(m, n)", "rate that shared memory feeds",
                   trace.number(fma) * bandwidth_of(gpu, Level::shared, in.basis, trace) / per_fma);
  const auto rate = trace.define("rate(m, n)", "the lesser of that and the peak", lesser(most, fed));
  return {.m = m,
          .n = n,
          .precision = in.precision,
          .per_fma = value_of(per_fma),
          .rate = value_of(rate),
          .of_peak = value_of(rate) / value_of(most),
          .registers = registers_of(m, n, in.precision),
          .verdict = value_of(fed) < value_of(most) ? "shared memory limits it" : "reaches peak"};
}

// The tile that was asked for; else squares up to the first that reaches peak, while registers hold them.
template <class T>
std::vector<OperandBandwidth::Tile> tiles(const Gpu& gpu, const OperandBandwidth::Input& in, double needed,
                                          T& trace) {
  const double limit = most_registers(gpu);
  if (in.m || in.n) {
    const double m = in.m.value_or(in.n.value_or(1)), n = in.n.value_or(m);
    if (registers_of(m, n, in.precision) > limit)
      throw LaunchError(
          fmt::format("a tile of {} x {} takes {} registers for its sums and operands; a thread "
                      "of {} has at most {}",
                      m, n, registers_of(m, n, in.precision), gpu.name, limit));
    return {tile(gpu, in, m, n, trace)};
  }
  std::vector<OperandBandwidth::Tile> rows;
  Plain plain; // one tile is explained, the last
  for (double edge = 1; edge < needed && registers_of(edge + 1, edge + 1, in.precision) <= limit; ++edge)
    rows.push_back(tile(gpu, in, edge, edge, plain));
  const double last = static_cast<double>(rows.size()) + 1;
  rows.push_back(tile(gpu, in, last, last, trace));
  return rows;
}

} // namespace

template <class T>
OperandBandwidth::Tables OperandBandwidth::predict(const Gpu& gpu, const Input& in, T& trace) {
  std::vector<Flow> flows{flow(gpu, in, "operands", 3, trace), flow(gpu, in, "results", 1, trace)};
  std::vector<Supply> levels;
  for (const Level level : {Level::shared, Level::l1, Level::l2, Level::dram}) {
    const bool asked = level == Level::shared || level == Level::dram; // the others where they were measured
    if (!asked && !has_bandwidth(gpu, level, Basis::measured)) continue;
    const BytesPerSecond before = levels.empty() ? flows.front().bandwidth : levels.back().bandwidth;
    levels.push_back(supply(gpu, in, level, before, trace));
  }
  std::vector<Tile> rows = tiles(gpu, in, levels.front().tile, trace);
  return {std::move(flows), std::move(levels), std::move(rows)};
}

const void* OperandBandwidth::said(const Input&, const Tables& rows) {
  return &std::get<std::vector<Tile>>(rows).back().of_peak;
}

std::string OperandBandwidth::verdict(const Gpu&, const Input&, const Tables& rows) {
  const auto& [flows, levels, tiles] = rows;
  const Tile& tile = tiles.back();
  const Supply& shared = levels.front();
  const std::string_view precision = names(tile.precision)[static_cast<std::size_t>(tile.precision)];
  return fmt::format("Register tiles of {} x {} let {} FMAs reach {} of peak{}. Operands take {}, shared "
                     "memory delivers {}, so each of its words must feed {}.",
                     in_words(tile.m), in_words(tile.n), precision, in_percent(tile.of_peak),
                     tile.of_peak < 1 ? ", bound by shared memory" : "", in_words(flows.front().bandwidth),
                     in_words(shared.bandwidth), in_words(shared.reuse));
}

template OperandBandwidth::Tables OperandBandwidth::predict(const Gpu&, const Input&, Plain&);
template OperandBandwidth::Tables OperandBandwidth::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
