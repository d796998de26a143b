// Hopper's warpgroup matrix instruction, D += A B with a 64 x 256 tile of D in the registers of 128 threads
// and A, B in shared memory: k-major, 128-byte rows, 128-byte swizzle. All precisions read 32 bytes of each
// row per instruction. The 128 registers are named in two .inc files, once instead of five times; 32-bit
// integers hold either type.
#pragma once

#include <cstdint>

namespace perfmodel::kernels {

enum class Format { bf16, fp16, tf32, fp8, int8 };

template <Format format>
__device__ inline void wgmma(std::uint32_t (&d)[128], std::uint64_t a, std::uint64_t b) {
  // clang-format off
  if constexpr (format == Format::bf16)
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
#include "kernels/probes/bounds/wgmma_names.inc"
                 "%128, %129, 1, 1, 1, 0, 0;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
                 : "l"(a), "l"(b));
  if constexpr (format == Format::fp16)
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
#include "kernels/probes/bounds/wgmma_names.inc"
                 "%128, %129, 1, 1, 1, 0, 0;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
                 : "l"(a), "l"(b));
  if constexpr (format == Format::tf32)
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
#include "kernels/probes/bounds/wgmma_names.inc"
                 "%128, %129, 1, 1, 1;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
                 : "l"(a), "l"(b));
  if constexpr (format == Format::fp8)
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 "
#include "kernels/probes/bounds/wgmma_names.inc"
                 "%128, %129, 1, 1, 1;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
                 : "l"(a), "l"(b));
  if constexpr (format == Format::int8)
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 "
#include "kernels/probes/bounds/wgmma_names.inc"
                 "%128, %129, 1;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
                 : "l"(a), "l"(b));
  // clang-format on
}

__device__ inline void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_end() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}
// Makes ordinary stores to shared memory visible to the tensor units; a barrier must follow.
__device__ inline void publish_to_tensor_units() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Descriptor of a tile whose rows are 128 bytes: eight rows (1024 bytes) repeat, 128-byte swizzle. Aligned to
// 1024.
__device__ inline std::uint64_t tile_descriptor(const void* tile) {
  const std::uint64_t address = __cvta_generic_to_shared(tile);
  return (address & 0x3FFFF) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{1024 >> 4} << 32 |
         std::uint64_t{1} << 62;
}

// Where the 16-byte piece `piece` of row `row` lies in such a tile.
__device__ inline int swizzled(int row, int piece) { return row * 128 + ((piece ^ (row & 7)) * 16); }

} // namespace perfmodel::kernels
