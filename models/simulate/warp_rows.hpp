// Rows of warps on an SM, a warp of each scheduler in a row, and which of them a block takes: as many side by
// side as hold its warps. A row is free when its warps have left, be their block there or not, so that a
// block of which most warps have nothing to do makes room for the next before it has ended. Seen on an H200,
// 28 November 2026, of blocks of which one warp works and the others leave at once: 14 of 256 threads were on
// an SM together where 8 are that stay whole, 11 of 512 where 4 are, 2 of 1024 as ever, since two rows in use
// leave no eight side by side; and the first warps of the blocks were with each scheduler equally often.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace perfmodel {

class WarpRows {
public:
  // Of one SM.
  explicit WarpRows(std::size_t rows) : warps_(rows) {}

  // The first row of those that a block takes, `width` warps in a row; none where there are not as many free
  // side by side.
  std::optional<std::size_t> take(std::size_t warps, std::size_t width) {
    const std::size_t rows = (warps + width - 1) / width;
    std::size_t free = 0;
    for (std::size_t row = 0; row < warps_.size(); ++row) {
      free = warps_[row] == 0 ? free + 1 : 0;
      if (free < rows) continue;
      const std::size_t first = row + 1 - rows;
      for (std::size_t i = 0; i < warps; ++i) ++warps_[first + i / width];
      return first;
    }
    return std::nullopt;
  }
  // A warp of it has left.
  void leave(std::size_t row) { --warps_[row]; }

private:
  std::vector<std::size_t> warps_; // of each row
};

} // namespace perfmodel
