// Places of warps on an SM, and which of them a block takes. Each scheduler has as many; a block's warps go
// to the schedulers in turn, and those that one scheduler gets take places side by side, as their registers
// do. A warp that has left frees its place at once, so that a block whose other warps have nothing to do
// makes room for the next before it has ended. Seen on an H200, 28 November 2026, of blocks of which one warp
// worked and the others left: 14 of 256 threads were on an SM together where 8 are that stay whole, 11 of 512
// where 4 are; of 1024 threads 2, since the warp that works parts the places of its scheduler.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace perfmodel {

class WarpPlaces {
public:
  // Of one SM: `places` of each scheduler.
  WarpPlaces(std::size_t schedulers, std::size_t places)
      : free_(schedulers, std::vector<bool>(places, true)) {}

  // Where the warps of a block go that begins with scheduler `first`: of each warp its scheduler and its
  // place there. None where a scheduler has not as many places side by side.
  struct Place {
    std::size_t scheduler = 0, place = 0;
  };
  std::optional<std::vector<Place>> take(std::size_t first, std::size_t warps) {
    const std::size_t schedulers = free_.size();
    std::vector<std::size_t> from(schedulers);
    for (std::size_t s = 0; s < schedulers; ++s) {
      const std::size_t count = of_scheduler(s, warps);
      const std::optional<std::size_t> run = run_of(free_[(first + s) % schedulers], count);
      if (!run) return std::nullopt;
      from[s] = *run;
    }
    std::vector<Place> taken;
    for (std::size_t i = 0; i < warps; ++i) {
      const std::size_t s = i % schedulers;
      taken.push_back({(first + s) % schedulers, from[s] + i / schedulers});
      free_[taken.back().scheduler][taken.back().place] = false;
    }
    return taken;
  }
  void free(Place place) { free_[place.scheduler][place.place] = true; }

private:
  std::size_t of_scheduler(std::size_t s, std::size_t warps) const {
    return warps / free_.size() + (s < warps % free_.size() ? 1 : 0);
  }
  // The first of so many free places side by side.
  static std::optional<std::size_t> run_of(const std::vector<bool>& free, std::size_t count) {
    std::size_t length = 0;
    if (count == 0) return 0;
    for (std::size_t at = 0; at < free.size(); ++at) {
      length = free[at] ? length + 1 : 0;
      if (length == count) return at + 1 - count;
    }
    return std::nullopt;
  }

  std::vector<std::vector<bool>> free_; // of each scheduler
};

} // namespace perfmodel
