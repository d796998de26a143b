// Errors of multiply-adds, sines and divisions in units in the last place, against fp64 on the host. The
// operands of multiply-adds are those of the model (rounding.hpp); sines are asked for at 4096 numbers that
// follow one another.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/concurrency/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace perfmodel::kernels {
namespace accuracy_probe {
namespace {

using rounding::Operands;

// By intrinsics: the compiler would fuse a product and a sum.
struct Fmad {
  static __device__ float of(const Operands& o) { return __fmaf_rn(o.x, o.y, o.z); }
};
struct MulAdd {
  static __device__ float of(const Operands& o) { return __fadd_rn(__fmul_rn(o.x, o.y), o.z); }
};
struct Sine {
  static __device__ float of(const Operands& o) { return sinf(o.x); }
};
struct FastSine {
  static __device__ float of(const Operands& o) { return __sinf(o.x); }
};
struct Division {
  static __device__ float of(const Operands& o) { return __fdiv_rn(o.x, o.y); }
};
struct FastDivision {
  static __device__ float of(const Operands& o) { return __fdividef(o.x, o.y); }
};

template <class Operation> __global__ void apply(const Operands* in, float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = Operation::of(in[i]);
}

// The worst of all operands.
template <class Operation>
double worst_of(Session& session, const std::vector<Operands>& operands, double (*exact)(const Operands&)) {
  const Buffer<Operands> in(operands);
  Buffer<float> out(operands.size());
  out.poison();
  constexpr unsigned threads = 256;
  const auto count = static_cast<int>(operands.size());
  const unsigned blocks = (static_cast<unsigned>(count) + threads - 1) / threads;
  apply<Operation><<<blocks, threads, 0, session.stream>>>(in.data(), out.data(), count);
  PERFMODEL_CUDA(cudaGetLastError());
  session.stream.synchronize();
  const std::vector<float> results = out.to_host();
  double worst = 0;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (exact(operands[i]) != 0) worst = std::max(worst, rounding::ulps_off(results[i], exact(operands[i])));
  return worst;
}

std::vector<Operands> from(float argument) {
  std::vector<Operands> all;
  for (int i = 0; i < 4096; ++i, argument = std::nextafter(argument, INFINITY))
    all.push_back({argument, 1, 0});
  return all;
}

double sine(const Operands& o) { return std::sin(static_cast<double>(o.x)); }
double quotient(const Operands& o) { return static_cast<double>(o.x) / o.y; }

ProbeResult run(Session& session) {
  session.say("accuracy");
  Report report("errors against fp64", {{"operation", {}}, {"cancelled", {"bits", {}}}, {"argument", {}}},
                {{"ulp", {"ulp", {}}}});
  const auto row = [&](const char* operation, int cancelled, double argument, double ulp) {
    report.row({std::string(operation), static_cast<double>(cancelled), argument}, std::vector<double>{ulp});
  };
  for (const int cancelled : {0, 4, 12, 22}) {
    const std::vector<Operands> all = rounding::operands(cancelled);
    row("fmad", cancelled, 1, worst_of<Fmad>(session, all, rounding::exact));
    row("mul-add", cancelled, 1, worst_of<MulAdd>(session, all, rounding::exact));
  }
  for (const double argument : {0.01, 0.1, 1., 2., 3., 3.14}) {
    const std::vector<Operands> all = from(static_cast<float>(argument));
    row("sinf", 0, argument, worst_of<Sine>(session, all, sine));
    row("__sinf", 0, argument, worst_of<FastSine>(session, all, sine));
  }
  const std::vector<Operands> all = rounding::operands(0);
  row("division", 0, 1, worst_of<Division>(session, all, quotient));
  row("__fdividef", 0, 1, worst_of<FastDivision>(session, all, quotient));
  return report.take();
}

} // namespace
} // namespace accuracy_probe

extern const Probe accuracy{.name = "accuracy",
                            .order = 155,
                            .model = "accuracy",
                            .measures = "ulp of FMAD, sines and divisions against fp64",
                            .run = accuracy_probe::run};

} // namespace perfmodel::kernels
