// The kernels of the matmul ladder as far as a model has to know them: tiles, resources, size of the source.
// They are those of kernels/probes/ladders, compiled for sm_90. Lines of source are those of the kernel's
// file within its namespace, and of tensor_pipeline.cuh where it is made of that, without comments and empty
// lines; the first two, which share a file, have their own.
#pragma once

#include "models/core/shape.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace perfmodel {

enum class MatmulVersion { naive, tiled, register_tiled, tensor_tf32, tensor_bf16 };
constexpr auto names(MatmulVersion) {
  return std::to_array<std::string_view>({"naive", "tiled", "register-tiled", "tensor-tf32", "tensor-bf16"});
}
constexpr bool on_tensor_units(MatmulVersion version) { return version >= MatmulVersion::tensor_tf32; }

// A block of the naive version where none is asked for, on a GPU of so many threads; 0: not known. 16 columns
// and 64 rows where such blocks fill an SM, else 16 x 16.
constexpr Shape naive_block(std::int64_t most_of_block, std::int64_t most_of_sm) {
  constexpr Shape high{16, 64, 1}, square{16, 16, 1};
  constexpr std::int64_t threads = high.x * high.y;
  return most_of_block >= threads && most_of_sm > 0 && most_of_sm % threads == 0 ? high : square;
}

struct MatmulRung {
  MatmulVersion version = MatmulVersion::naive;
  std::int64_t rows = 16, columns = 16; // of C, of a block
  std::int64_t depth = 1;               // of k, that a block works on between two barriers
  std::int64_t threads = 256;
  double registers = 0, shared = 0; // of a thread, 0 where they limit no GPU; bytes of a block
  double lines = 8;                 // of the kernel's source
  double word = 4;                  // bytes of an operand's element
  double out_word = 4;              // and of the result's
  std::int64_t cluster = 1;         // blocks that share what they load of B
  std::int64_t height = 1;          // tiles of C that are taken down before the next to the right
};

// `tile` is that of the tiled version, `block` that of naive. Registers and shared memory as ptxas of
// CUDA 13.0 prints them; the 32 registers of the first two fill an SM's warps from 3.x on, and code with
// 32-bit addresses needs fewer.
constexpr MatmulRung matmul_rung(MatmulVersion version, std::int64_t tile, Shape block) {
  const auto words = static_cast<double>(tile * tile);
  switch (version) {
  case MatmulVersion::naive:
    return {version, block.y, block.x, 1, block.count()};
  case MatmulVersion::tiled:
    return {version, tile, tile, tile, tile * tile, 0, 2 * words * 4, 17};
  case MatmulVersion::register_tiled:
    return {version, 128, 128, 8, 256, 125, 16640, 117};
  case MatmulVersion::tensor_tf32:
    return {version, 256, 128, 32, 384, 168, 230464, 225, 4, 4, 1, 8};
  case MatmulVersion::tensor_bf16:
    return {version, 128, 256, 64, 384, 168, 230464, 218, 2, 2, 2, 8};
  }
  return {};
}

} // namespace perfmodel
