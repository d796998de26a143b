// Sectors that a warp fills by one store after another, and how many of them are partly written at a time.
#pragma once

#include "footprint.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

class FilledSectors {
public:
  explicit FilledSectors(std::size_t warps) : of_warp_(warps) {}

  // The warp stores once more.
  void next(std::size_t warp) { of_warp_[warp].stores += 1; }
  // To this sector, which was partly written by a store before: as `pieces` and `store_of_warp` of it still
  // say.
  void go_on(StoredSector& sector, std::size_t warp) {
    OfWarp& of = of_warp_[warp];
    of.open += of.stores - sector.store_of_warp;
    if (sector.pieces == 1) sectors_ += 1, pieces_ += 1;
    pieces_ += 1;
  }
  // The number of the warp's last store.
  double last(std::size_t warp) const { return of_warp_[warp].stores; }

  double sectors() const { return sectors_; }
  // Stores that fill one of them.
  double pieces() const { return sectors_ > 0 ? pieces_ / sectors_ : 0; }
  // Of all warps at a time, in the mean of the time from their first to their last store.
  double open() const {
    double sum = 0;
    for (const OfWarp& of : of_warp_) sum += of.open / std::max(1.0, of.stores);
    return sum;
  }

private:
  struct OfWarp {
    double stores = 0; // so far
    double open = 0;   // sum over its sectors: stores from one to the next of the same
  };
  std::vector<OfWarp> of_warp_;
  double sectors_ = 0, pieces_ = 0;
};

} // namespace perfmodel
