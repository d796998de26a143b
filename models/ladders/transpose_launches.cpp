#include "transpose_launches.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace {

// Of the kernels' template arguments.
std::string direct_kernel(bool reads_columns, bool writes_columns) {
  return fmt::format("6directILb{:d}ELb{:d}E", reads_columns, writes_columns);
}
std::string shared_kernel(std::int64_t tile, bool transposes, int padding, bool diagonal) {
  return fmt::format("14through_sharedILj{}ELb{:d}ELj{}ELb{:d}E", tile, transposes, padding, diagonal);
}

} // namespace

std::string transpose_kernel(TransposeVersion version, const TransposeSize& size) {
  using V = TransposeVersion;
  switch (version) {
  case V::copy:
    return direct_kernel(false, false);
  case V::naive:
    return direct_kernel(false, true);
  case V::strided_both:
    return direct_kernel(true, true);
  case V::tile_copy:
    return shared_kernel(size.tile, false, 0, false);
  case V::tiled:
    return shared_kernel(size.tile, true, 0, false);
  case V::padded:
    return shared_kernel(size.tile, true, 1, false);
  case V::diagonal:
    return shared_kernel(size.tile, true, 1, true);
  case V::diagonal_unpadded:
    return shared_kernel(size.tile, true, 0, true);
  case V::vectorised: // by words where rows are no multiple of 16 bytes
    return fmt::format("10vectorisedILj64ELj64ELj512ELb{:d}E", size.n % 4 == 0 && size.pitch % 4 == 0);
  case V::tensor_copy:
    break;
  }
  return "13through_boxes";
}

std::int64_t transpose_tile(TransposeVersion version, std::int64_t choice) {
  if (has_tile_choice(version)) return choice;
  return version == TransposeVersion::vectorised || version == TransposeVersion::tensor_copy ? 64 : 32;
}

KernelLaunch transpose_launch(TransposeVersion version, const TransposeSize& size) {
  using V = TransposeVersion;
  constexpr std::int64_t rows_of_threads = 8;
  const std::int64_t side = transpose_tile(version, size.tile), tiles = (size.n + side - 1) / side,
                     bytes = 4 * size.n * size.pitch;
  KernelLaunch launch{.grid = {tiles, tiles, 1}, .block = {side, rows_of_threads, 1}};
  if (version == V::vectorised) launch.block = {512, 1, 1};
  if (version == V::tensor_copy) launch.block = {256, 1, 1};
  if (version != V::tensor_copy)
    launch.arguments = KernelArguments::from_text(
        fmt::format("in={}B,out={}B,n={},pitch={}", bytes, bytes, size.n, size.pitch));
  return launch;
}

} // namespace perfmodel
