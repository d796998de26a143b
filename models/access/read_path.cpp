#include "read_path.hpp"

#include <algorithm>
#include <span>

namespace perfmodel {

namespace {

constexpr std::int64_t line_bytes = 128;

// A quad of pixels; of linear memory two of them, or as many lanes as 64 bytes are words of.
std::size_t request_lanes(ReadPath path, std::int64_t word) {
  if (path == ReadPath::tex2d) return 4;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(64 / word, 4, 8));
}

} // namespace

bool passes_texture_units(const Gpu& gpu, ReadPath path) {
  constexpr double first_read_only = 3.2, unified = 5.0;
  if (path != ReadPath::ldg) return path != ReadPath::global;
  return gpu.capability() >= first_read_only && gpu.capability() < unified;
}

CoalescingRule texture_rule() {
  return {.kind = CoalescingRule::Kind::distinct, .least = 32, .most = 32, .cached = true, .l1 = true};
}

std::int64_t byte_in_array(std::int64_t index, std::int64_t pitch, std::int64_t word) {
  constexpr std::int64_t tile_width = 64, tile_rows = 8, tile_bytes = tile_width * tile_rows;
  constexpr std::int64_t tiles_above = 16; // of those that follow one another from top to bottom
  const std::int64_t x = index % pitch * word, y = index / pitch;
  const std::int64_t across = (pitch * word + tile_width - 1) / tile_width;
  const std::int64_t group = y / (tile_rows * tiles_above) * across + x / tile_width;
  const std::int64_t tile = group * tiles_above + y / tile_rows % tiles_above;
  const std::int64_t within =
      x % tile_width / 32 * 256 + y % tile_rows / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
  return tile * tile_bytes + within;
}

std::int64_t texture_wavefronts(ReadPath path, std::span<const std::int64_t, warp_lanes> address,
                                std::uint32_t mask, std::int64_t word) {
  const std::size_t lanes = request_lanes(path, word);
  std::int64_t all = 0;
  for (std::size_t first = 0; first < warp_lanes; first += lanes) {
    const SortedLanes request = ascending(address, mask, first, lanes);
    for (std::size_t i = 0; i < request.count; ++i)
      all += static_cast<std::int64_t>(i == 0 || request.address[i] / line_bytes !=
                                                     request.address[i - 1] / line_bytes);
  }
  return all;
}

} // namespace perfmodel
