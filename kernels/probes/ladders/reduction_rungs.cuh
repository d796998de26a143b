// A sum by one rung of the ladder, from the array to the one number: which kernels run, on which grids.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/device.hpp"
#include "kernels/probes/ladders/cub_sum.hpp"
#include "kernels/probes/ladders/reduction_passes.hpp"
#include "kernels/probes/ladders/reduction_stream.cuh"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace perfmodel::kernels {

// Sums of up to `most` elements, at most 2^31; T as in reduction_types.cuh. Throws std::logic_error for
// blocks that are no power of two from 64 to 1024, MachineError for cub in a build without it, which sums
// int32 and fp32 alone.
template <class T> class Reduction {
public:
  Reduction(const Device& device, Rung rung, unsigned threads, std::size_t most)
      : rung_(rung), threads_(threads), total_(1) {
    if (rung == Rung::cub) {
      if constexpr (cub_sums) scratch_ = Buffer<unsigned char>(cub_scratch<T>(most));
      return;
    }
    if (rung == Rung::vector)
      vector_ = with_threads([](auto n) { return &sum_vector<n, vector_loads, T>; });
    else
      kernel_ = kernel();
    wave_ = wave(device);
    partial_ = Buffer<T>(passes(static_cast<unsigned>(most)).front().blocks);
    more_partial_ = Buffer<T>(partial_.size());
    arrived_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize()); // cleared on a stream of its own
  }

  // The launches of one sum; of cub, which chooses its own, none.
  std::vector<Pass> passes(unsigned n) const { return reduction_passes(rung_, threads_, n, wave_); }

  void enqueue(const T* in, unsigned n, cudaStream_t stream) {
    if constexpr (cub_sums)
      if (rung_ == Rung::cub) return cub_sum(scratch_.data(), scratch_.bytes(), in, n, total_.data(), stream);
    const std::vector<Pass> list = passes(n);
    for (std::size_t i = 0; i < list.size(); ++i) {
      T* const out = i + 1 == list.size() ? total_.data()
                     : i % 2 == 0         ? partial_.data()
                                          : more_partial_.data();
      enqueue(list[i], in, out, stream);
      in = out;
    }
  }

  // What the last sum found.
  T total() const { return total_.to_host()[0]; }
  void poison() {
    total_.poison();
    partial_.poison();
    more_partial_.poison();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
  }

private:
  static constexpr bool cub_sums = std::is_same_v<T, unsigned> || std::is_same_v<T, float>;
  using Kernel = void(const T*, unsigned, T*);
  using VectorKernel = void(const T*, unsigned, T*, unsigned*, T*);

  template <unsigned n> using Threads = std::integral_constant<unsigned, n>;
  template <class Make> auto with_threads(Make make) const {
    switch (threads_) {
    case 64:
      return make(Threads<64>{});
    case 128:
      return make(Threads<128>{});
    case 256:
      return make(Threads<256>{});
    case 512:
      return make(Threads<512>{});
    case 1024:
      return make(Threads<1024>{});
    default:
      throw std::logic_error("no reduction by blocks of " + std::to_string(threads_) + " threads");
    }
  }

  Kernel* kernel() const {
    switch (rung_) {
    case Rung::interleaved:
      return &sum_interleaved<T>;
    case Rung::strided_index:
      return &sum_strided_index<T>;
    case Rung::sequential:
      return &sum_sequential<T>;
    case Rung::first_add:
      return &sum_first_add<T>;
    case Rung::warp_synchronous:
      return &sum_warp_synchronous<T>;
    case Rung::unrolled_warp:
      return &sum_unrolled_warp<T>;
    case Rung::unrolled:
      return with_threads([](auto n) { return &sum_unrolled<n, T>; });
    case Rung::grid_stride:
      return with_threads([](auto n) { return &sum_grid_stride<n, T>; });
    default:
      return with_threads([](auto n) { return &sum_shuffle<n, T>; });
    }
  }

  std::size_t shared_bytes() const { return rung_ >= Rung::shuffle ? 0 : threads_ * sizeof(T); }

  // Blocks that the device holds at a time.
  unsigned wave(const Device& device) const {
    int blocks = 0;
    const int threads = static_cast<int>(threads_);
    if (rung_ == Rung::vector)
      PERFMODEL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, vector_, threads, 0));
    else
      PERFMODEL_CUDA(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, threads, shared_bytes()));
    return static_cast<unsigned>(blocks * device.sm_count());
  }

  void enqueue(const Pass& pass, const T* in, T* out, cudaStream_t stream) {
    if (rung_ == Rung::vector)
      vector_<<<pass.blocks, threads_, 0, stream>>>(in, pass.elements, partial_.data(), arrived_.data(),
                                                    total_.data());
    else
      kernel_<<<pass.blocks, threads_, shared_bytes(), stream>>>(in, pass.elements, out);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Rung rung_;
  unsigned threads_;
  Kernel* kernel_ = nullptr;
  VectorKernel* vector_ = nullptr;
  unsigned wave_ = 1;
  Buffer<T> partial_, more_partial_, total_;
  Buffer<unsigned> arrived_{1};
  Buffer<unsigned char> scratch_;
};

} // namespace perfmodel::kernels
