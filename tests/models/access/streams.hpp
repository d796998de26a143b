// Requests of warps, for tests that compare two ways of counting: words in a row, at steps, shuffled, at
// random, over little memory and much, with lanes that are missing.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace perfmodel {

struct WarpRequest {
  std::array<std::int64_t, 32> address;
  std::uint32_t mask;
};

inline std::vector<WarpRequest> random_stream(std::mt19937_64& random, std::int64_t word) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  const std::int64_t span = std::int64_t{1} << (9 + below(24)), stride = below(200) * word;
  const std::int64_t kind = below(4);
  std::vector<WarpRequest> all(600);
  std::int64_t start = 0, n = 0;
  for (WarpRequest& request : all) {
    if (below(7) == 0) start = below(span);
    for (std::int64_t lane = 0; lane < 32; ++lane, ++n) {
      const std::int64_t address = kind == 0   ? below(span)
                                   : kind == 1 ? start + lane * word
                                   : kind == 2 ? n * stride % span
                                               : start + (5 * lane + 3) % 32 * stride;
      request.address[static_cast<std::size_t>(lane)] = address & ~(word - 1);
    }
    if (kind == 1) start += 32 * word;
    request.mask = below(3) == 0 ? static_cast<std::uint32_t>(random()) : ~std::uint32_t{0};
  }
  return all;
}

} // namespace perfmodel
