// The tensor load of energy.cu: the kernel of tensor_rate.cu, which checks its answer in full; here every
// block must have the bits of the first, and those a norm that is not zero.
#include "kernels/core/buffer.hpp"
#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/tensor_tiles.cuh"

namespace perfmodel::kernels {
namespace {

struct Buffers {
  Operand<Format::bf16> a{rows, 1}, b{columns, 2};
  Buffer<uint4> a_device{a.stored}, b_device{b.stored};
  Buffer<std::uint32_t> d;
  Buffer<ClockReading> clock{1};
  explicit Buffers(std::size_t words) : d(words) {}
};

} // namespace

std::optional<EnergyLoad> tensor_load(Session& session, int sms) {
  if (!session.device.is_hopper()) return std::nullopt;
  PERFMODEL_CUDA(cudaFuncSetAttribute(multiply_tiles<Format::bf16>,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const auto buffers = std::make_shared<Buffers>(std::size_t(sms) * rows * columns);
  const auto launch = [buffers, sms](cudaStream_t stream, int trips) {
    multiply_tiles<Format::bf16><<<sms, threads, shared_bytes, stream>>>(
        buffers->a_device.data(), buffers->b_device.data(), buffers->d.data(), trips, buffers->clock.data());
  };
  buffers->d.poison();
  launch(session.stream, 3);
  session.stream.synchronize();
  const std::vector<std::uint32_t> got = buffers->d.to_host();
  bool right = true, zero = true;
  for (std::size_t i = 0; i < got.size(); ++i) {
    right = right && got[i] == got[i % (rows * columns)];
    zero = zero && got[i] == 0;
  }
  const int trips = trips_for(session, 0.02, launch);
  return EnergyLoad{.launch = [launch, trips](cudaStream_t stream) { launch(stream, trips); },
                    .flops = 2.0 * sms * rows * columns * Operand<Format::bf16>::k * trips,
                    .right = right && !zero,
                    .buffers = buffers};
}

} // namespace perfmodel::kernels
