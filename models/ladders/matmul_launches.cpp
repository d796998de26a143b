#include "matmul_launches.hpp"

#include <fmt/format.h>

namespace perfmodel {

std::string matmul_kernel(const MatmulRung& rung, std::int64_t n, double capability) {
  constexpr double compiled_since = 7.5;
  constexpr std::int64_t lectures = 16; // rows and columns of a tile
  switch (rung.version) {
  case MatmulVersion::naive:
    return "12matmul_naive";
  case MatmulVersion::tiled:
    if (capability < compiled_since && rung.depth == lectures && n % lectures == 0)
      return "18matmul_whole_tilesILi16E";
    return fmt::format("12matmul_tiledILi{}E", rung.depth);
  default: // by words where rows are no multiple of 16 bytes
    return fmt::format("21matmul_register_tiledILi128ELi128ELi8ELi8ELi8ELi2ELb{:d}E", n % 4 == 0);
  }
}

KernelLaunch matmul_launch(const MatmulRung& rung, std::int64_t n) {
  const bool registers = rung.version == MatmulVersion::register_tiled;
  KernelLaunch launch{.grid = {(n + rung.columns - 1) / rung.columns, (n + rung.rows - 1) / rung.rows, 1},
                      .block = {registers ? rung.threads : rung.columns, registers ? 1 : rung.rows, 1}};
  if (registers) launch.dynamic_shared = static_cast<std::uint64_t>(rung.shared);
  const std::int64_t bytes = 4 * n * n;
  launch.arguments = KernelArguments::from_text(fmt::format("a={0}B,b={0}B,c={0}B,n={1}", bytes, n));
  return launch;
}

} // namespace perfmodel
