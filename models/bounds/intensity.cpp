#include "intensity.hpp"

#include "cache_in_front.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

using Input = Intensity::Input;

constexpr double most_n = 1e15; // n^3 of them is still far from what a double holds

Bytes word_of(Precision p) {
  switch (p) {
  case Precision::fp64:
  case Precision::fp64_tensor:
    return Bytes(8);
  case Precision::fp16:
  case Precision::fp16_vector:
  case Precision::bf16:
  case Precision::bf16_vector:
    return Bytes(2);
  case Precision::fp8:
  case Precision::int8:
    return Bytes(1);
  case Precision::fp4:
    return Bytes(0.5);
  default:
    return Bytes(4);
  }
}

Count n_of(const Input& in, KnownKernel kernel) {
  return in.n.value_or(kernel == KnownKernel::matmul ? 4096 : 16777216);
}

Roofline::Input roof_of(const Input& in) { return {.precision = in.precision, .basis = in.basis}; }

void check(const Input& in, KnownKernel kernel) {
  const Count n = n_of(in, kernel);
  if (n > most_n || in.nonzeros > most_n || in.reach > 1e6)
    throw InputError(
        fmt::format("--n and --nonzeros of at most {:g} and --reach of at most 1e6 are counted", most_n));
  if (kernel == KnownKernel::spmv && in.nonzeros > n)
    throw InputError(
        fmt::format("--nonzeros {}: a row of {} columns holds no more than these", in.nonzeros, n));
  if (kernel == KnownKernel::fft && n < 2) throw InputError("--n 1: an FFT of one point does nothing");
  if (kernel == KnownKernel::stencil && 2 * in.reach + 1 > std::cbrt(n))
    throw InputError(
        fmt::format("--reach {}: a cube of {} points is narrower than that stencil", in.reach, n));
}

template <class T> Intensity::Counted counted(const Gpu& gpu, const Input& in, KnownKernel kernel, T& trace) {
  check(in, kernel);
  const auto cache = cache_in_front(gpu, in.cache, trace);
  const auto word = trace.define("w", "bytes of a number", trace.number(word_of(in.precision)));
  const auto n = trace.input("n", n_of(in, kernel));
  using Number = std::decay_t<decltype(n)>;
  using Size = std::decay_t<decltype(word)>;
  const KernelShape<Number, Size> shape{n,    trace.input("k", in.nonzeros), trace.input("r", in.reach),
                                        word, trace.input("i", in.index),    cache};
  const auto traffic = kernel_traffic(kernel, shape, trace);
  const auto of = [&](const char* what) { return fmt::format("{}({})", what, name_of(kernel)); };
  const auto work = trace.define(of("W"), "operations", traffic.work);
  const auto least = trace.define(of("Q_least"), "every number once", traffic.least);
  const auto bytes = trace.define(of("Q"), "bytes with this cache", traffic.bytes);
  trace.define(of("I"), "operations per byte", work / bytes);
  return {.name = kernel,
          .n = value_of(n),
          .cache = value_of(cache),
          .word = value_of(word),
          .work = value_of(work),
          .least = value_of(least),
          .bytes = value_of(bytes)};
}

} // namespace

template <class T> Roofline::Machine Intensity::machine(const Gpu& gpu, const Input& in, T& trace) {
  return Roofline::machine(gpu, roof_of(in), trace);
}

template <class T> Intensity::Tables Intensity::predict(const Gpu& gpu, const Input& in, T& trace) {
  std::vector<Counted> counts;
  Roofline::Input roof = roof_of(in);
  roof.points.emplace();
  for (const KnownKernel kernel :
       {KnownKernel::spmv, KnownKernel::stencil, KnownKernel::fft, KnownKernel::matmul}) {
    if (in.kernel && kernel != *in.kernel) continue;
    counts.push_back(counted(gpu, in, kernel, trace));
    roof.points->points.push_back(
        {.name = std::string(name_of(kernel)), .intensity = counts.back().work / counts.back().bytes});
  }
  const std::vector<Roofline::Kernel> on_roof = Roofline::kernels(gpu, roof, trace);
  std::vector<Placed> placed;
  for (std::size_t k = 0; k < on_roof.size(); ++k)
    placed.push_back({.name = counts[k].name,
                      .n = counts[k].n,
                      .precision = on_roof[k].precision,
                      .level = on_roof[k].level,
                      .intensity = on_roof[k].intensity,
                      .performance = on_roof[k].performance,
                      .bound = on_roof[k].bound,
                      .ridge = on_roof[k].ridge,
                      .most_intensity = counts[k].work / counts[k].least});
  return {std::move(placed), std::move(counts)};
}

std::string Intensity::verdict(const Gpu&, const Input&, const Tables& tables) {
  const std::vector<Placed>& kernels = std::get<0>(tables);
  if (kernels.empty()) return "";
  const std::string_view precision = names(Precision{})[static_cast<std::size_t>(kernels.front().precision)];
  if (kernels.size() == 1) {
    const Placed& k = kernels.front();
    return fmt::format("{} does {}: {}-bound, at most {}.", name_of(k.name), in_words(k.intensity, precision),
                       k.bound == Bound::memory ? "memory" : "compute", in_words(k.performance, precision));
  }
  std::string memory, compute;
  for (const Placed& k : kernels) {
    std::string& list = k.bound == Bound::memory ? memory : compute;
    list +=
        fmt::format("{}{} ({})", list.empty() ? "" : ", ", name_of(k.name), in_words(k.intensity, precision));
  }
  if (memory.empty()) return fmt::format("Compute-bound: {}.", compute);
  return fmt::format("Memory-bound: {}{}{}.", memory, compute.empty() ? "" : "; compute-bound: ", compute);
}

template Roofline::Machine Intensity::machine(const Gpu&, const Input&, Plain&);
template Roofline::Machine Intensity::machine(const Gpu&, const Input&, Recorder&);
template Intensity::Tables Intensity::predict(const Gpu&, const Input&, Plain&);
template Intensity::Tables Intensity::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
