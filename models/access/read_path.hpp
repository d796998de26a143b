// The ways in which a kernel reads device memory, and what they become where they pass texture units.
//   global  plain loads                  ldg    loads of read-only data (__ldg, const __restrict__)
//   tex1d   tex1Dfetch, linear memory    tex2d  tex2D of a CUDA array, whose layout is in two dimensions
// Texture units know no coalescing: a warp's read is requests of a few lanes each, and of each the different
// lines of 128 B are wavefronts. With the hardware's counters (l1tex__t_requests_pipe_tex, H200, 27 November
// 2026): eight lanes of tex1Dfetch, four of tex2D. Up to cc 3.7 the cache of the texture units is one of
// their own, from cc 5.0 on it is L1, and __ldg passes the same way as any load.
// The layout of a CUDA array (counted likewise: a row of 32 words is 8 sectors, a column 16): sectors of 16
// bytes in two rows, lines of 32 bytes in four, tiles of 64 bytes in eight, 16 tiles below one another.
// NVIDIA, Tegra X1 Technical Reference Manual, page 1188 (16Bx2); taken to be that of every GPU.
#pragma once

#include "models/access/launch.hpp"
#include "models/access/transactions.hpp"
#include "models/core/gpu.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace perfmodel {

enum class ReadPath { global, ldg, tex1d, tex2d };
constexpr auto names(ReadPath) {
  return std::to_array<std::string_view>({"global", "ldg", "tex1d", "tex2d"});
}

// Whether a read takes the way of the texture units: __ldg does from cc 3.2 to 3.7, before that it is any
// load.
bool passes_texture_units(const Gpu& gpu, ReadPath path);

// Sectors of 32 bytes, kept in the cache of the texture units for the warps of a block.
CoalescingRule texture_rule();

// Where word number `index` of an array `pitch` words wide lies: its byte, as tex2D finds it. Words of 1 to
// 16 bytes; `pitch` at least 1, and no more rows than an array has (pattern_walk.cpp).
std::int64_t byte_in_array(std::int64_t index, std::int64_t pitch, std::int64_t word);

// The different lines of the requests that a warp's read is made of. `address`: the byte of each lane's word.
std::int64_t texture_wavefronts(ReadPath path, std::span<const std::int64_t, warp_lanes> address,
                                std::uint32_t mask, std::int64_t word);

} // namespace perfmodel
