// C = A B of one size by every version of the ladder: operands, launches, and whether an answer is right.
// Operands are random in (-1, 1): zeros would draw less power and run faster. Versions in bf16 multiply the
// same numbers, rounded. The tensor versions and cuBLAS want rows of whole 16 bytes: where n has none, they
// work on copies with longer rows, made before anything is timed.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/cublas.hpp"
#include "kernels/core/session.hpp"
#include "kernels/probes/ladders/matmul_operands.cuh"
#include "kernels/probes/ladders/matmul_register_tiled.cuh"
#include "kernels/probes/ladders/matmul_tensor.hpp"
#include "kernels/probes/ladders/matmul_tiled.cuh"
#include "kernels/probes/ladders/product_check.hpp"

#include "models/ladders/matmul_rung.hpp"

#include <cuda_bf16.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace perfmodel::kernels {

struct MatmulVersion {
  std::string_view name;
  bool bf16 = false, hopper = false, of_library = false;
  Rounding rounding = {};
};
inline constexpr MatmulVersion matmul_versions[] = {
    {"naive"},
    {"tiled"},
    {"register-tiled"},
    {"tensor-tf32", false, true, false, {.operand = tf32_rounding, .tensor = true}},
    {"tensor-bf16", true, true, false, {.tensor = true, .result = bf16_rounding}},
    {"cublas-fp32", false, false, true},
    {"cublas-tf32", false, false, true, {.operand = tf32_cut, .tensor = true}},
    // May add up parts of a sum in bf16. 8: then 64 tiles of 128 x 128, n = 1024, are blocks for any GPU.
    {"cublas-bf16", true, false, true, {.tensor = true, .result = bf16_rounding, .parts = 8}},
};
inline constexpr int largest_tile = 32; // of "tiled": 1024 threads

class MatmulBench {
public:
  MatmulBench(Session& session, int n)
      : session_(session), n_(n), pitch_((n + 7) / 8 * 8), a_(words(n, n)), b_(words(n, n)), c_(words(n, n)) {
    fill_uniform<<<1024, 256, 0, session.stream>>>(a_.data(), a_.size(), 1);
    fill_uniform<<<1024, 256, 0, session.stream>>>(b_.data(), b_.size(), 2);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  // The launch of a version, made on its first use; cuBLAS's algorithms are tried then. `tile` is that of
  // "tiled". Why there is none is thrown as MachineError.
  const Launch& launch(const MatmulVersion& version, int tile) {
    const auto key = std::pair(version.name, version.name == "tiled" ? tile : 0);
    const auto found = launches_.find(key);
    return found != launches_.end() ? found->second
                                    : launches_.emplace(key, made(version, tile)).first->second;
  }

  // Empty where the version's answer is right; else how far it is off.
  std::string wrong(const MatmulVersion& version, int tile) {
    const Launch& product = launch(version, tile);
    c_.poison();
    if (long_c_.size() > 0) long_c_.poison();
    if (bf16_c_.size() > 0) bf16_c_.poison();
    product(session_.stream);
    PERFMODEL_CUDA(cudaGetLastError());
    return beyond(
        product_error(operand(version, 0), operand(version, 1), operand(version, 2), session_.stream),
        version.rounding.of_element(n_));
  }

private:
  static std::size_t words(int rows, int pitch) { return std::size_t(rows) * pitch; }
  static bool is_plain(const MatmulVersion& v) { return !v.hopper && !v.of_library; }

  // A, B or C as the version has it.
  StoredMatrix operand(const MatmulVersion& version, int which) {
    if (is_plain(version)) {
      const float* const plain[] = {a_.data(), b_.data(), c_.data()};
      return {plain[which], Stored::fp32, n_, n_};
    }
    if (version.bf16) {
      if (bf16_c_.size() == 0) lengthen(bf16_a_, bf16_b_, bf16_c_);
      const __nv_bfloat16* const rounded[] = {bf16_a_.data(), bf16_b_.data(), bf16_c_.data()};
      return {rounded[which], Stored::bf16, n_, pitch_};
    }
    if (pitch_ != n_ && long_c_.size() == 0) lengthen(long_a_, long_b_, long_c_);
    const float* const longer[] = {pitch_ == n_ ? a_.data() : long_a_.data(),
                                   pitch_ == n_ ? b_.data() : long_b_.data(),
                                   pitch_ == n_ ? c_.data() : long_c_.data()};
    return {longer[which], Stored::fp32, n_, pitch_};
  }

  template <class T> void lengthen(Buffer<T>& a, Buffer<T>& b, Buffer<T>& c) {
    a = Buffer<T>(words(n_, pitch_));
    b = Buffer<T>(words(n_, pitch_));
    c = Buffer<T>(words(n_, pitch_));
    copy_rows<<<n_, 256, 0, session_.stream>>>(a_.data(), n_, a.data(), pitch_);
    copy_rows<<<n_, 256, 0, session_.stream>>>(b_.data(), n_, b.data(), pitch_);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Launch made(const MatmulVersion& version, int tile) {
    if (version.name == "naive") {
      const auto& most = session_.device.properties;
      const Shape block = naive_block(most.maxThreadsPerBlock, most.maxThreadsPerMultiProcessor);
      return by_blocks(matmul_naive, static_cast<int>(block.x), static_cast<int>(block.y));
    }
    if (version.name == "tiled") return tiled(tile, std::make_integer_sequence<int, largest_tile>{});
    if (version.name == "register-tiled")
      return n_ % 4 == 0 ? register_tiled<true>() : register_tiled<false>();
    const StoredMatrix a = operand(version, 0), b = operand(version, 1), c = operand(version, 2);
    void* const to = const_cast<void*>(c.data);
    if (version.hopper && !session_.device.is_hopper()) throw MachineError("wgmma is Hopper's (9.0)");
    if (version.name == "tensor-tf32") return tensor_tf32_product(a, b, static_cast<float*>(to));
    if (version.name == "tensor-bf16") return tensor_bf16_product(a, b, to);
    const auto product =
        std::make_shared<CublasProduct>(session_, version.name.substr(7), n_, pitch_, a.data, b.data, to);
    if (!product->why().empty()) throw MachineError(std::string(product->why()));
    return [product](cudaStream_t stream) { product->launch(stream); };
  }

  template <int... before> Launch tiled(int tile, std::integer_sequence<int, before...>) {
    Launch launch;
    ((tile == before + 1 ? void(launch = by_blocks(matmul_tiled<before + 1>, tile, tile)) : void()), ...);
    if (!launch) throw std::logic_error("no kernel for tiles of " + std::to_string(tile));
    return launch;
  }

  using Kernel = void (*)(const float*, const float*, float*, int);
  Launch by_blocks(Kernel kernel, int columns, int rows) {
    const dim3 grid(unsigned((n_ + columns - 1) / columns), unsigned((n_ + rows - 1) / rows));
    return [=, this](cudaStream_t stream) {
      kernel<<<grid, dim3(columns, rows), 0, stream>>>(a_.data(), b_.data(), c_.data(), n_);
    };
  }

  template <bool aligned> Launch register_tiled() {
    const Kernel kernel = matmul_register_tiled<128, 128, 8, 8, 8, 2, aligned>;
    using Tile = RegisterTile<128, 128, 8, 8, 8>;
    const unsigned blocks = unsigned(n_ + 127) / 128;
    return [=, this](cudaStream_t stream) {
      kernel<<<dim3(blocks, blocks), Tile::threads, Tile::shared_bytes, stream>>>(a_.data(), b_.data(),
                                                                                  c_.data(), n_);
    };
  }

  Session& session_;
  const int n_, pitch_; // pitch: whole 16 bytes of either precision
  Buffer<float> a_, b_, c_, long_a_, long_b_, long_c_;
  Buffer<__nv_bfloat16> bf16_a_, bf16_b_, bf16_c_;
  std::map<std::pair<std::string_view, int>, Launch> launches_;
};

} // namespace perfmodel::kernels
